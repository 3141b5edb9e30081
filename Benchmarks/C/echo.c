// echo SOCKET REPLYBYTES: the floor for a request over a Unix socket. One thread, one epoll; every message that ends in a NUL
// is answered with REPLYBYTES bytes, the last of them NUL. Ends on a signal.
#include "measure.h"

#include <sys/epoll.h>

enum { MESSAGE_LIMIT = 4 << 20, EVENT_LIMIT = 64, BUFFER = 64 << 10 };

static int listen_at(const char *path) {
  struct sockaddr_un address = socket_address(path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket");
  unlink(path);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  if (listen(fd, 1024) != 0) fail("listen");
  return fd;
}

static void watch(int epoll, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) fail("epoll_ctl");
}

int main(int argc, char **argv) {
  long size = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  if (size < 1 || size > MESSAGE_LIMIT) {
    fprintf(stderr, "usage: echo SOCKET REPLYBYTES\n");
    return EXIT_USAGE;
  }
  static char buffer[BUFFER];
  char *reply = malloc((size_t)size);
  if (reply == NULL) fail("malloc");
  memset(reply, 'x', (size_t)size);
  reply[size - 1] = 0;
  int listener = listen_at(argv[1]), epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) fail("epoll_create1");
  watch(epoll, listener);
  for (;;) {
    struct epoll_event events[EVENT_LIMIT];
    int count = epoll_wait(epoll, events, EVENT_LIMIT, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (peer >= 0) watch(epoll, peer);
        continue;
      }
      ssize_t received = recv(fd, buffer, sizeof buffer, 0);
      if (received <= 0) {
        close(fd);
      } else if (buffer[received - 1] == 0) {
        send_all(fd, reply, (size_t)size);
      }
    }
  }
}
