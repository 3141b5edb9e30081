#ifndef CFAULTVFS_H
#define CFAULTVFS_H

// A SQLite VFS over the system's own that fails on request, counts what is written, and can cut the power. For tests only.
// Each one has a name of its own, so that tests can run beside each other.

#include <stddef.h>
#include <stdint.h>

typedef struct fault_vfs fault_vfs;

enum fault_call { FAULT_WRITE, FAULT_SYNC, FAULT_TRUNCATE, FAULT_OPEN, FAULT_READ, FAULT_CALLS };

/// Registers a new VFS; NULL where there is no memory.
fault_vfs *fault_vfs_make(void);
/// Its name, for sqlite3_open_v2.
const char *fault_vfs_name(const fault_vfs *vfs);
/// Unregisters it. No connection may be using it.
void fault_vfs_free(fault_vfs *vfs);

/// Fails the call that comes after `skipped` calls of the kind, with `error` as errno: that one only, or from then on all.
/// A failing write has written half.
void fault_vfs_fail(fault_vfs *vfs, enum fault_call kind, int skipped, int error, int lasts);
/// Fails every write, sync, truncation and opening from the one on that comes after `skipped` of them: the process stops there.
void fault_vfs_stop(fault_vfs *vfs, int skipped);
/// Takes back what was written or truncated and not synced since, and then fails as if stopped.
void fault_vfs_cut_power(fault_vfs *vfs);
/// Ends all of these.
void fault_vfs_clear(fault_vfs *vfs);

/// How many calls were made to fail since the last `fault_vfs_clear`.
int fault_vfs_failures(fault_vfs *vfs);
/// How many calls of a kind there were.
int fault_vfs_calls(fault_vfs *vfs, enum fault_call kind);
/// How many bytes were written.
uint64_t fault_vfs_bytes_written(fault_vfs *vfs);

/// Runs SQL on a database file as any program could, with the defences off. SQLite's result code.
int fault_execute(const char *path, const char *sql);
/// The first value that a query gives, as bytes: how many there are, of which at most `capacity` are copied; -1 for none.
int fault_query(const char *path, const char *sql, unsigned char *out, int capacity);

/// Whether `needle` stands somewhere in `hay`: 1 or 0.
int fault_contains(const void *hay, size_t hay_count, const void *needle, size_t needle_count);

/// Gives the calling thread a view of the file system of its own in which `directory` is an empty file system of `bytes` bytes.
/// 0, or the negated errno: -EPERM without the rights for it.
int fault_mount_small(const char *directory, uint64_t bytes);

#endif
