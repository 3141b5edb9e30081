// load OPTION… SOCKET TEMPLATE [SOCKET TEMPLATE]…: drives one or more servers, each call a message and its reply that ends in a
// NUL, and prints one JSON line per round and server. The servers take turns within each round, so that all meet the same
// machine.
//
// In TEMPLATE every # is a digit of a number that differs from call to call: drawn from a space (seeded), or counted up.
//
//   -k CONNECTIONS  how many, each with one call under way (1)      -r ROUNDS   how often (5)
//   -n CALLS        per round and server (1000)                     -c CPU      run on that CPU only
//   -s SPACE        draw numbers below SPACE (1)                    -i START    count up from START in place of drawing
//   -e TEXT         every reply has to hold TEXT; without it, none may be an error
#include "measure.h"

#include <poll.h>
#include <sys/epoll.h>

enum { CONNECTION_LIMIT = 1100, TARGET_LIMIT = 4, REPLY_LIMIT = 1 << 16, REQUEST_LIMIT = 1 << 16 };

struct options {
  int connections, rounds, cpu;
  size_t calls;
  uint64_t space;
  int64_t start;
  const char *expected;
};

struct connection {
  int fd;
  size_t received;
  uint64_t started;
  char reply[REPLY_LIMIT];
};

struct target {
  const char *socket, *template;
  int64_t next;
  struct connection *connections;
};

static struct options options = {.connections = 1, .rounds = 5, .cpu = -1, .calls = 1000, .space = 1, .start = -1};
static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint64_t draw(uint64_t space) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed % space;
}

// Fills the template's digits, the last one first. Returns the size with the NUL.
static size_t fill(struct target *target, char *request) {
  uint64_t number = options.start < 0 ? draw(options.space) : (uint64_t)target->next++;
  size_t size = strlen(target->template);
  for (size_t i = size; i-- > 0;) {
    char byte = target->template[i];
    if (byte == '#') {
      byte = (char)('0' + number % 10);
      number /= 10;
    }
    request[i] = byte;
  }
  request[size] = 0;
  return size + 1;
}

static void start_call(struct target *target, struct connection *connection) {
  char request[REQUEST_LIMIT];
  size_t size = fill(target, request);
  connection->received = 0;
  connection->started = now_ns();
  send_all(connection->fd, request, size);
}

static void check_reply(const struct connection *connection) {
  const char *wanted = options.expected != NULL ? options.expected : "\"error\"";
  int holds = memmem(connection->reply, connection->received, wanted, strlen(wanted)) != NULL;
  if (holds != (options.expected != NULL)) {
    fprintf(stderr, "bench: unexpected reply: %.*s\n", (int)connection->received, connection->reply);
    exit(1);
  }
}

// Takes what has arrived. Returns whether the reply is whole.
static int receive(struct connection *connection) {
  size_t space = sizeof connection->reply - connection->received;
  ssize_t count = recv(connection->fd, connection->reply + connection->received, space, 0);
  if (count < 0 && errno == EINTR) return 0;
  if (count <= 0) fail("recv (the server closed the connection, or the reply is too large)");
  connection->received += (size_t)count;
  return connection->reply[connection->received - 1] == 0;
}

// One connection waits in poll, as an event loop does. A client that blocks in recv is woken twice: the kernel wakes it when
// the server takes the request, too (there is room to send again), and on one CPU it may then run in the server's place.
static void run_alone(struct target *target, uint64_t *samples) {
  struct connection *connection = &target->connections[0];
  struct pollfd input = {.fd = connection->fd, .events = POLLIN};
  for (size_t i = 0; i < options.calls; i++) {
    start_call(target, connection);
    do poll(&input, 1, -1);
    while (!receive(connection));
    samples[i] = now_ns() - connection->started;
    check_reply(connection);
  }
}

static void run_together(struct target *target, uint64_t *samples) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) fail("epoll_create1");
  size_t started = 0, done = 0;
  for (int i = 0; i < options.connections; i++) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &target->connections[i]};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, target->connections[i].fd, &event) != 0) fail("epoll_ctl");
    if (started < options.calls) {
      started++;
      start_call(target, &target->connections[i]);
    }
  }
  while (done < options.calls) {
    struct epoll_event events[128];
    int count = epoll_wait(epoll, events, 128, -1);
    for (int i = 0; i < count; i++) {
      struct connection *connection = events[i].data.ptr;
      if (!receive(connection)) continue;
      samples[done++] = now_ns() - connection->started;
      check_reply(connection);
      if (started < options.calls) {
        started++;
        start_call(target, connection);
      }
    }
  }
  close(epoll);
}

static void open_target(struct target *target, const char *socket, const char *template) {
  if (strlen(template) >= REQUEST_LIMIT) {
    errno = EMSGSIZE;
    fail("template");
  }
  *target = (struct target){.socket = socket, .template = template, .next = options.start};
  target->connections = calloc((size_t)options.connections, sizeof *target->connections);
  if (target->connections == NULL) fail("calloc");
  for (int i = 0; i < options.connections; i++) {
    target->connections[i].fd = connect_to(socket);
    if (target->connections[i].fd < 0) fail(socket);
  }
}

static void run_round(struct target *target, int index, int round, uint64_t *samples) {
  uint64_t started = now_ns();
  if (options.connections == 1) {
    run_alone(target, samples);
  } else {
    run_together(target, samples);
  }
  double seconds = (double)(now_ns() - started) / 1e9;
  size_t reply = target->connections[0].received;
  uint64_t median = quantile(samples, options.calls, 0.5), late = quantile(samples, options.calls, 0.99);
  printf("{\"target\":%d,\"round\":%d,\"calls\":%zu,\"seconds\":%.6f,\"p50\":%llu,\"p99\":%llu,\"replyBytes\":%zu}\n", index, round,
         options.calls, seconds, (unsigned long long)median, (unsigned long long)late, reply);
}

static int usage(void) {
  fprintf(stderr, "usage: load [-k N] [-r N] [-n N] [-c CPU] [-s N | -i N] [-e TEXT] SOCKET TEMPLATE [SOCKET TEMPLATE]…\n");
  return EXIT_USAGE;
}

int main(int argc, char **argv) {
  for (int option; (option = getopt(argc, argv, "k:r:n:c:s:i:e:")) != -1;) {
    switch (option) {
      case 'k': options.connections = atoi(optarg); break;
      case 'r': options.rounds = atoi(optarg); break;
      case 'n': options.calls = strtoul(optarg, NULL, 10); break;
      case 'c': options.cpu = atoi(optarg); break;
      case 's': options.space = strtoul(optarg, NULL, 10); break;
      case 'i': options.start = strtol(optarg, NULL, 10); break;
      case 'e': options.expected = optarg; break;
      default: return usage();
    }
  }
  int targets = (argc - optind) / 2;
  int fits = targets >= 1 && targets <= TARGET_LIMIT && (argc - optind) % 2 == 0 && options.connections >= 1
             && options.connections <= CONNECTION_LIMIT && options.calls >= 1 && options.space >= 1;
  if (!fits) return usage();
  pin(options.cpu);
  struct target target[TARGET_LIMIT];
  uint64_t *samples = calloc(options.calls, sizeof *samples);
  if (samples == NULL) fail("calloc");
  for (int i = 0; i < targets; i++) open_target(&target[i], argv[optind + 2 * i], argv[optind + 2 * i + 1]);
  for (int round = 0; round < options.rounds; round++) {
    for (int i = 0; i < targets; i++) run_round(&target[i], i, round, samples);
  }
  return 0;
}
