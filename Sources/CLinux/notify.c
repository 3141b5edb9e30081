#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// A leading '@' stands for the NUL byte of an abstract name, which has no final NUL.
static int make_notify_address(const char *name, struct sockaddr_un *address, socklen_t *size) {
  size_t count = strlen(name);
  if ((name[0] != '/' && name[0] != '@') || name[1] == 0) return -EINVAL;
  if (count >= sizeof address->sun_path) return -ENAMETOOLONG;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, name, count);
  if (name[0] == '@') address->sun_path[0] = 0;
  *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count + (name[0] == '/'));
  return 0;
}

/// A socket for messages, and the address that `name` stands for.
static int notify_socket(const char *name, struct sockaddr_un *address, socklen_t *size) {
  int result = make_notify_address(name, address, size);
  if (result < 0) return result;
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return fd < 0 ? -errno : fd;
}

int clinux_notify(const char *name, const void *bytes, size_t count) {
  struct sockaddr_un address;
  socklen_t size;
  int fd = notify_socket(name, &address, &size);
  if (fd < 0) return fd;
  ssize_t sent;
  do sent = sendto(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT, (struct sockaddr *)&address, size);
  while (sent < 0 && errno == EINTR);
  int result = sent < 0 ? -errno : 0;
  close(fd);
  return result;
}

int clinux_bind_notify(const char *name) {
  struct sockaddr_un address;
  socklen_t size;
  int fd = notify_socket(name, &address, &size);
  if (fd < 0) return fd;
  if (bind(fd, (struct sockaddr *)&address, size) == 0) return fd;
  int result = -errno;
  close(fd);
  return result;
}
