#define _GNU_SOURCE
#include "CFaultVFS.h"

#include <errno.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

static sqlite3 *open_database(const char *path) {
  sqlite3 *database = NULL;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
    sqlite3_close(database);
    return NULL;
  }
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  return database;
}

int fault_execute(const char *path, const char *sql) {
  sqlite3 *database = open_database(path);
  if (database == NULL) return SQLITE_CANTOPEN;
  int result = sqlite3_exec(database, sql, NULL, NULL, NULL);
  sqlite3_close(database);
  return result;
}

int fault_query(const char *path, const char *sql, unsigned char *out, int capacity) {
  sqlite3 *database = open_database(path);
  sqlite3_stmt *statement = NULL;
  int count = -1;
  if (database != NULL && sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK
      && sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL) {
    const void *bytes = sqlite3_column_blob(statement, 0);
    count = sqlite3_column_bytes(statement, 0);
    if (bytes != NULL) memcpy(out, bytes, (size_t)(count < capacity ? count : capacity));
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return count;
}

int fault_contains(const void *hay, size_t hay_count, const void *needle, size_t needle_count) {
  return hay_count > 0 && memmem(hay, hay_count, needle, needle_count) != NULL;
}

int fault_mount_small(const char *directory, uint64_t bytes) {
  char options[64];
  snprintf(options, sizeof options, "size=%llu,mode=0700", (unsigned long long)bytes);
  // Of this thread only, and nothing of it gets out.
  if (unshare(CLONE_NEWNS) != 0) return -errno;
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -errno;
  return mount("none", directory, "tmpfs", 0, options) == 0 ? 0 : -errno;
}
