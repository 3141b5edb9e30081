// raw-put STORE CALLS: the floor for a durable put. STORE is a copy of a store's file; every line on stdin makes it write CALLS
// records, each with its two folder rows and the state row in one transaction (WAL, synchronous = FULL), of the very sizes that
// the file's first record has. Prints one JSON line each time, as `load` does.
#include "measure.h"

#include <sqlite3.h>

enum { COLUMNS = 10, TAG_BYTES = 16, FOLDERS = 2 };

static sqlite3 *database;
static uint64_t seed = 0xD1B54A32D192ED03u;

static void check(int code) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "bench: sqlite: %s\n", sqlite3_errmsg(database));
  exit(1);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
  return statement;
}

static void finish(sqlite3_stmt *statement) {
  check(sqlite3_step(statement));
  check(sqlite3_reset(statement));
}

static void new_tag(unsigned char *tag) {
  for (int i = 0; i < TAG_BYTES; i += 8) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    memcpy(tag + i, &seed, 8);
  }
}

struct statements {
  sqlite3_stmt *begin, *commit, *record, *folder, *state;
};

// Binds what the first record and the state row hold: every later row differs in its tag only.
static struct statements make_statements(unsigned char *folders) {
  struct statements all = {
      .begin = prepare("BEGIN IMMEDIATE"),
      .commit = prepare("COMMIT"),
      .record = prepare("INSERT INTO record VALUES (?1, ?2, ?3, ?4, ?5, x'', ?7, ?8, ?9, ?10)"),
      .folder = prepare("INSERT INTO folder VALUES (?1, ?2)"),
      .state = prepare("UPDATE state SET sealed = ?1"),
  };
  sqlite3_stmt *sample = prepare("SELECT * FROM record LIMIT 1"), *state = prepare("SELECT sealed FROM state");
  if (sqlite3_step(sample) != SQLITE_ROW || sqlite3_step(state) != SQLITE_ROW || sqlite3_column_count(sample) != COLUMNS
      || sqlite3_column_bytes(sample, 4) != FOLDERS * TAG_BYTES) {
    fprintf(stderr, "bench: the store has no record in two folders\n");
    exit(1);
  }
  for (int i = 1; i < COLUMNS; i++) {
    if (i != 5) check(sqlite3_bind_value(all.record, i + 1, sqlite3_column_value(sample, i)));
  }
  memcpy(folders, sqlite3_column_blob(sample, 4), FOLDERS * TAG_BYTES);
  check(sqlite3_bind_value(all.state, 1, sqlite3_column_value(state, 0)));
  sqlite3_finalize(sample);
  sqlite3_finalize(state);
  return all;
}

static void put(const struct statements *all, const unsigned char *folders) {
  unsigned char tag[TAG_BYTES];
  new_tag(tag);
  finish(all->begin);
  check(sqlite3_bind_blob(all->record, 1, tag, TAG_BYTES, SQLITE_STATIC));
  finish(all->record);
  for (int i = 0; i < FOLDERS; i++) {
    check(sqlite3_bind_blob(all->folder, 1, folders + i * TAG_BYTES, TAG_BYTES, SQLITE_STATIC));
    check(sqlite3_bind_blob(all->folder, 2, tag, TAG_BYTES, SQLITE_STATIC));
    finish(all->folder);
  }
  finish(all->state);
  finish(all->commit);
}

int main(int argc, char **argv) {
  size_t calls = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
  if (calls == 0) {
    fprintf(stderr, "usage: raw-put STORE CALLS\n");
    return EXIT_USAGE;
  }
  check(sqlite3_open_v2(argv[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
  check(sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL));
  unsigned char folders[FOLDERS * TAG_BYTES];
  struct statements all = make_statements(folders);
  uint64_t *samples = calloc(calls, sizeof *samples);
  if (samples == NULL) fail("calloc");
  char line[16];
  for (int round = 0; fgets(line, sizeof line, stdin) != NULL; round++) {
    uint64_t started = now_ns();
    for (size_t i = 0; i < calls; i++) {
      uint64_t begun = now_ns();
      put(&all, folders);
      samples[i] = now_ns() - begun;
    }
    double seconds = (double)(now_ns() - started) / 1e9;
    uint64_t median = quantile(samples, calls, 0.5), late = quantile(samples, calls, 0.99);
    printf("{\"target\":1,\"round\":%d,\"calls\":%zu,\"seconds\":%.6f,\"p50\":%llu,\"p99\":%llu}\n", round, calls, seconds,
           (unsigned long long)median, (unsigned long long)late);
    fflush(stdout);
  }
  return 0;
}
