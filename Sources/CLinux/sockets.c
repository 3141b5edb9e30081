#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int clinux_socket_path_limit(void) { return (int)sizeof(((struct sockaddr_un *)0)->sun_path) - 1; }

int clinux_socket(void) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd < 0 ? -errno : fd;
}

static int make_address(const char *path, struct sockaddr_un *address) {
  size_t count = strlen(path);
  if (count == 0) return -EINVAL;
  if (count > (size_t)clinux_socket_path_limit()) return -ENAMETOOLONG;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, count);
  return 0;
}

int clinux_bind(int fd, const char *path) {
  struct sockaddr_un address;
  int result = make_address(path, &address);
  if (result < 0) return result;
  return bind(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : -errno;
}

static int set_send_timeout(int fd, int milliseconds) {
  struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = milliseconds % 1000 * 1000};
  return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) == 0 ? 0 : -errno;
}

int clinux_connect(int fd, const char *path, int milliseconds) {
  struct sockaddr_un address;
  int result = make_address(path, &address);
  if (result < 0) return result;
  if ((result = set_send_timeout(fd, milliseconds)) < 0) return result;
  do result = connect(fd, (struct sockaddr *)&address, sizeof address);
  while (result != 0 && errno == EINTR);
  if (result != 0) return -errno;
  return set_send_timeout(fd, 0);
}

int clinux_accept(int fd) {
  int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
  return peer < 0 ? -errno : peer;
}

static int option(int fd, int name) {
  int value = 0;
  socklen_t count = sizeof value;
  return getsockopt(fd, SOL_SOCKET, name, &value, &count) == 0 ? value : -errno;
}

int clinux_is_unix_listener(int fd) {
  return option(fd, SO_DOMAIN) == AF_UNIX && option(fd, SO_TYPE) == SOCK_STREAM && option(fd, SO_ACCEPTCONN) == 1;
}

int clinux_refuse_ancillary(int fd) {
  int off = 0;
  if (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &off, sizeof off) != 0) return -errno;
  if (setsockopt(fd, SOL_SOCKET, SO_PASSSEC, &off, sizeof off) != 0 && errno != ENOPROTOOPT && errno != EOPNOTSUPP) return -errno;
  return 0;
}

int clinux_socket_name(int fd, char *out, size_t count) {
  struct sockaddr_un address;
  socklen_t size = sizeof address;
  memset(&address, 0, sizeof address);
  if (getsockname(fd, (struct sockaddr *)&address, &size) != 0) return -errno;
  size_t length = strnlen(address.sun_path, sizeof address.sun_path);
  if (address.sun_family != AF_UNIX || size <= sizeof address.sun_family || length == 0) return -EINVAL;
  if (length >= count) return -ENAMETOOLONG;
  memcpy(out, address.sun_path, length);
  out[length] = 0;
  return 0;
}

int clinux_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, pid_t *pid) {
  struct ucred credentials;
  socklen_t count = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &count) != 0) return -errno;
  *uid = credentials.uid;
  *gid = credentials.gid;
  *pid = credentials.pid;
  return 0;
}

int clinux_peer_pidfd(int fd) {
  int pidfd = -1;
  socklen_t count = sizeof pidfd;
  return getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &count) == 0 ? pidfd : -errno;
}

ssize_t clinux_receive(int fd, void *bytes, size_t count, int block, int *attached) {
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t received;
  do received = recvmsg(fd, &message, block ? 0 : MSG_DONTWAIT);
  while (received < 0 && errno == EINTR);
  if (received < 0) return -errno;
  *attached = (message.msg_flags & MSG_CTRUNC) != 0;
  return received;
}

ssize_t clinux_send(int fd, const void *bytes, size_t count) {
  ssize_t sent;
  do sent = send(fd, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int clinux_send_descriptor(int fd, int attached) {
  union {
    char space[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
  } control;
  memset(&control, 0, sizeof control);
  struct iovec part = {.iov_base = "x", .iov_len = 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &attached, sizeof attached);
  return sendmsg(fd, &message, MSG_NOSIGNAL) == 1 ? 0 : -errno;
}
