#define _GNU_SOURCE
#include "CFaultVFS.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>

/// What a write or truncation did away with, to be put back at a power cut.
struct undo {
  struct undo *next;
  sqlite3_int64 size, offset;
  int count;
  unsigned char bytes[];
};

struct file {
  sqlite3_file base;
  struct fault_vfs *vfs;
  struct undo *undo;
  struct file *next;
  sqlite3_file *real;
};

struct fault_vfs {
  sqlite3_vfs base;
  sqlite3_vfs *real;
  char name[32];
  pthread_mutex_t mutex;
  struct file *files;
  int skipped[FAULT_CALLS], errors[FAULT_CALLS], lasts[FAULT_CALLS], calls[FAULT_CALLS];
  int stop_after, stopped, failures, last_error;
  uint64_t bytes_written;
};

static void lock(fault_vfs *vfs) { pthread_mutex_lock(&vfs->mutex); }
static void unlock(fault_vfs *vfs) { pthread_mutex_unlock(&vfs->mutex); }

/// The errno that this call has to fail with; 0 for none. Called with the lock held.
static int fault(fault_vfs *vfs, enum fault_call kind) {
  int error = 0;
  vfs->calls[kind]++;
  if (kind != FAULT_READ && vfs->stop_after >= 0 && vfs->stop_after-- == 0) vfs->stopped = 1;
  if (vfs->stopped && kind != FAULT_READ) error = EIO;
  if (vfs->errors[kind] != 0 && vfs->skipped[kind]-- <= 0) {
    error = vfs->errors[kind];
    if (!vfs->lasts[kind]) vfs->errors[kind] = 0;
  }
  if (error != 0) {
    vfs->failures++;
    vfs->last_error = error;
  }
  return error;
}

static void remember(struct file *file, sqlite3_int64 offset, sqlite3_int64 count) {
  sqlite3_int64 size = 0;
  file->real->pMethods->xFileSize(file->real, &size);
  if (offset + count > size) count = size > offset ? size - offset : 0;
  struct undo *undo = malloc(sizeof *undo + (size_t)count);
  if (undo == NULL) abort();
  *undo = (struct undo){.next = file->undo, .size = size, .offset = offset, .count = (int)count};
  if (count > 0) file->real->pMethods->xRead(file->real, undo->bytes, (int)count, offset);
  file->undo = undo;
}

static void forget(struct file *file) {
  while (file->undo != NULL) {
    struct undo *undo = file->undo;
    file->undo = undo->next;
    free(undo);
  }
}

static void put_back(struct file *file) {
  for (struct undo *undo = file->undo; undo != NULL; undo = undo->next) {
    if (undo->count > 0) file->real->pMethods->xWrite(file->real, undo->bytes, undo->count, undo->offset);
    file->real->pMethods->xTruncate(file->real, undo->size);
  }
  forget(file);
}

// MARK: - Files

static int file_close(sqlite3_file *base) {
  struct file *file = (struct file *)base;
  lock(file->vfs);
  for (struct file **at = &file->vfs->files; *at != NULL; at = &(*at)->next) {
    if (*at == file) {
      *at = file->next;
      break;
    }
  }
  unlock(file->vfs);
  forget(file);
  return file->real->pMethods->xClose(file->real);
}

static int file_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = (struct file *)base;
  lock(file->vfs);
  int error = fault(file->vfs, FAULT_READ);
  unlock(file->vfs);
  return error != 0 ? SQLITE_IOERR_READ : file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
  struct file *file = (struct file *)base;
  lock(file->vfs);
  int was_stopped = file->vfs->stopped, error = fault(file->vfs, FAULT_WRITE);
  if (error != 0) count /= 2;
  int result = SQLITE_OK;
  if (!was_stopped) {
    remember(file, offset, count);
    result = file->real->pMethods->xWrite(file->real, bytes, count, offset);
    if (result == SQLITE_OK) file->vfs->bytes_written += (uint64_t)count;
  }
  unlock(file->vfs);
  return error == 0 ? result : error == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
  struct file *file = (struct file *)base;
  lock(file->vfs);
  int error = fault(file->vfs, FAULT_TRUNCATE);
  if (error == 0) remember(file, size, INT32_MAX);
  int result = error != 0 ? SQLITE_IOERR_TRUNCATE : file->real->pMethods->xTruncate(file->real, size);
  unlock(file->vfs);
  return result;
}

static int file_sync(sqlite3_file *base, int flags) {
  struct file *file = (struct file *)base;
  lock(file->vfs);
  int error = fault(file->vfs, FAULT_SYNC);
  int result = error != 0 ? SQLITE_IOERR_FSYNC : file->real->pMethods->xSync(file->real, flags);
  if (result == SQLITE_OK) forget(file);
  unlock(file->vfs);
  return result;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xFileSize(real, size);
}
static int file_lock(sqlite3_file *base, int level) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xLock(real, level);
}
static int file_unlock(sqlite3_file *base, int level) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xUnlock(real, level);
}
static int file_check_lock(sqlite3_file *base, int *is_reserved) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xCheckReservedLock(real, is_reserved);
}
static int file_control(sqlite3_file *base, int operation, void *argument) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xFileControl(real, operation, argument);
}
static int file_sector_size(sqlite3_file *base) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xSectorSize(real);
}
static int file_traits(sqlite3_file *base) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xDeviceCharacteristics(real);
}
static int file_shm_map(sqlite3_file *base, int page, int size, int extends, void volatile **out) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xShmMap(real, page, size, extends, out);
}
static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xShmLock(real, offset, count, flags);
}
static void file_shm_barrier(sqlite3_file *base) {
  sqlite3_file *real = ((struct file *)base)->real;
  real->pMethods->xShmBarrier(real);
}
static int file_shm_unmap(sqlite3_file *base, int deletes) {
  sqlite3_file *real = ((struct file *)base)->real;
  return real->pMethods->xShmUnmap(real, deletes);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_traits,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// MARK: - The VFS

static int vfs_open(sqlite3_vfs *base, sqlite3_filename name, sqlite3_file *out, int flags, int *out_flags) {
  fault_vfs *vfs = (fault_vfs *)base;
  struct file *file = (struct file *)out;
  memset(file, 0, sizeof *file);
  lock(vfs);
  int error = fault(vfs, FAULT_OPEN);
  unlock(vfs);
  if (error != 0) return SQLITE_CANTOPEN;
  file->real = (sqlite3_file *)(file + 1);
  int result = vfs->real->xOpen(vfs->real, name, file->real, flags, out_flags);
  if (result != SQLITE_OK) return result;
  file->vfs = vfs;
  file->base.pMethods = &methods;
  lock(vfs);
  file->next = vfs->files;
  vfs->files = file;
  unlock(vfs);
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *base, const char *name, int syncs) {
  sqlite3_vfs *real = ((fault_vfs *)base)->real;
  return real->xDelete(real, name, syncs);
}
static int vfs_access(sqlite3_vfs *base, const char *name, int flags, int *out) {
  sqlite3_vfs *real = ((fault_vfs *)base)->real;
  return real->xAccess(real, name, flags, out);
}
static int vfs_full_name(sqlite3_vfs *base, const char *name, int count, char *out) {
  sqlite3_vfs *real = ((fault_vfs *)base)->real;
  return real->xFullPathname(real, name, count, out);
}
static int vfs_last_error(sqlite3_vfs *base, int count, char *text) {
  fault_vfs *vfs = (fault_vfs *)base;
  return vfs->last_error != 0 ? vfs->last_error : vfs->real->xGetLastError(vfs->real, count, text);
}

fault_vfs *fault_vfs_make(void) {
  static int made = 0;
  fault_vfs *vfs = calloc(1, sizeof *vfs);
  if (vfs == NULL) return NULL;
  vfs->real = sqlite3_vfs_find("unix-excl");
  vfs->base = *vfs->real;
  vfs->base.pNext = NULL;
  vfs->base.szOsFile = (int)sizeof(struct file) + vfs->real->szOsFile;
  vfs->base.zName = vfs->name;
  vfs->base.xOpen = vfs_open;
  vfs->base.xDelete = vfs_delete;
  vfs->base.xAccess = vfs_access;
  vfs->base.xFullPathname = vfs_full_name;
  vfs->base.xGetLastError = vfs_last_error;
  vfs->stop_after = -1;
  pthread_mutex_init(&vfs->mutex, NULL);
  snprintf(vfs->name, sizeof vfs->name, "fault-%d", __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED));
  if (sqlite3_vfs_register(&vfs->base, 0) != SQLITE_OK) abort();
  return vfs;
}

const char *fault_vfs_name(const fault_vfs *vfs) { return vfs->name; }

void fault_vfs_free(fault_vfs *vfs) {
  sqlite3_vfs_unregister(&vfs->base);
  pthread_mutex_destroy(&vfs->mutex);
  free(vfs);
}

void fault_vfs_fail(fault_vfs *vfs, enum fault_call kind, int skipped, int error, int lasts) {
  lock(vfs);
  vfs->skipped[kind] = skipped;
  vfs->errors[kind] = error;
  vfs->lasts[kind] = lasts;
  unlock(vfs);
}

void fault_vfs_stop(fault_vfs *vfs, int skipped) {
  lock(vfs);
  vfs->stop_after = skipped;
  unlock(vfs);
}

void fault_vfs_cut_power(fault_vfs *vfs) {
  lock(vfs);
  for (struct file *file = vfs->files; file != NULL; file = file->next) put_back(file);
  vfs->stopped = 1;
  unlock(vfs);
}

void fault_vfs_clear(fault_vfs *vfs) {
  lock(vfs);
  memset(vfs->errors, 0, sizeof vfs->errors);
  vfs->stop_after = -1;
  vfs->stopped = vfs->failures = vfs->last_error = 0;
  unlock(vfs);
}

int fault_vfs_failures(fault_vfs *vfs) {
  lock(vfs);
  int failures = vfs->failures;
  unlock(vfs);
  return failures;
}

int fault_vfs_calls(fault_vfs *vfs, enum fault_call kind) {
  lock(vfs);
  int calls = vfs->calls[kind];
  unlock(vfs);
  return calls;
}

uint64_t fault_vfs_bytes_written(fault_vfs *vfs) {
  lock(vfs);
  uint64_t bytes = vfs->bytes_written;
  unlock(vfs);
  return bytes;
}
