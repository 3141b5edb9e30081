#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_config and sqlite3_db_config are variadic. */
static inline int csqlite_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline int csqlite_set_option(sqlite3 *db, int option, int on) { return sqlite3_db_config(db, option, on, (int *)0); }

/* SQLITE_TRANSIENT is a casted macro: SQLite takes a copy. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

/* SQLITE_STATIC: SQLite reads the bytes where they lie, until the binding is cleared. */
static inline int csqlite_lend_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

#endif
