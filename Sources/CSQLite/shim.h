#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* Extended result codes and casted macros do not import into Swift as they stand. */
enum {
  CSQLITE_IOERR_FSYNC = SQLITE_IOERR_FSYNC,
  CSQLITE_BUSY_SNAPSHOT = SQLITE_BUSY_SNAPSHOT,
};

/* sqlite3_config and sqlite3_db_config are variadic. */
static inline int csqlite_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline int csqlite_set_option(sqlite3 *db, int option, int on) { return sqlite3_db_config(db, option, on, (int *)0); }

#endif
