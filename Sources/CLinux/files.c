#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_open(const char *path, int flags, unsigned mode) {
  int fd;
  do fd = open(path, flags | O_CLOEXEC, mode);
  while (fd < 0 && errno == EINTR);
  return fd < 0 ? -errno : fd;
}

int clinux_open_unnamed(const char *directory, unsigned mode) {
  return clinux_open(directory, O_TMPFILE | O_WRONLY, mode);
}

int clinux_name(int fd, const char *path) {
  // Other than AT_EMPTY_PATH it takes no privilege.
  char self[sizeof "/proc/self/fd/" + 3 * sizeof fd];
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  return linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
}

int clinux_rename_no_replace(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  // A file system without the flag: link(2) fails on an existing target just as well.
  if (link(from, to) != 0) return -errno;
  return unlink(from) == 0 ? 0 : -errno;
}

int clinux_reserve(int fd, uint64_t bytes) {
  return fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) == 0 ? 0 : -errno;
}

static int copy_status(int result, const struct stat *status, struct clinux_status *out) {
  if (result != 0) return -errno;
  out->device = status->st_dev;
  out->inode = status->st_ino;
  out->size = (uint64_t)status->st_size;
  out->links = status->st_nlink;
  out->changed = (uint64_t)status->st_ctim.tv_sec * 1000000000 + (uint64_t)status->st_ctim.tv_nsec;
  out->mode = status->st_mode;
  out->owner = status->st_uid;
  out->group = status->st_gid;
  return 0;
}

int clinux_stat(const char *path, int follow, struct clinux_status *out) {
  struct stat status;
  return copy_status(follow ? stat(path, &status) : lstat(path, &status), &status, out);
}

int clinux_fstat(int fd, struct clinux_status *out) {
  struct stat status;
  return copy_status(fstat(fd, &status), &status, out);
}

int clinux_close_from(unsigned first) { return close_range(first, ~0U, 0) == 0 ? 0 : -errno; }

static int wait_for(int fd, short events, int milliseconds) {
  struct pollfd entry = {.fd = fd, .events = events};
  int ready = poll(&entry, 1, milliseconds);
  if (ready < 0) return -errno;
  if (ready > 0 && (entry.revents & POLLNVAL)) return -EBADF;
  return ready;
}

int clinux_wait_readable(int fd, int milliseconds) { return wait_for(fd, POLLIN | POLLRDHUP, milliseconds); }
int clinux_wait_writable(int fd, int milliseconds) { return wait_for(fd, POLLOUT, milliseconds); }

int clinux_is_peer_gone(int fd) {
  struct pollfd entry = {.fd = fd, .events = POLLRDHUP};
  return poll(&entry, 1, 0) > 0 && (entry.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0;
}

int clinux_memory_file(const char *name) {
  int fd = memfd_create(name, MFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) == 0 ? 0 : -errno; }

int clinux_pidfd(pid_t pid) {
  int fd = (int)syscall(SYS_pidfd_open, pid, 0);
  return fd < 0 ? -errno : fd;
}
