// spawn ROUNDS COMMAND -- COMMAND…: starts each command once a round, in turn, and prints their times as JSON: one array of
// nanoseconds per command.
//
// COMMAND is   exit PROGRAM ARGUMENT…            from the start to its end, which has to be exit 0
//         or   answer SOCKET PROGRAM ARGUMENT…   from the start to its first reply to Status over SOCKET; then it gets SIGTERM
#include "measure.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { COMMAND_LIMIT = 8, ROUND_LIMIT = 100000 };

static const char status_call[] = "{\"method\":\"org.passcoded.Passcode.Status\"}";
extern char **environ;

struct command {
  const char *socket;  // NULL: until it ends
  char **argv;
};

static pid_t start(char **argv) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd = 0; fd <= 2; fd++) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  pid_t pid;
  errno = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
  if (errno != 0) fail(argv[0]);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

static void await_end(pid_t pid, const char *name) {
  int status;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(stderr, "bench: %s ended with wait status %d\n", name, status);
    exit(1);
  }
}

static void await_answer(const char *path, pid_t pid) {
  char reply[1 << 16];
  int fd;
  while ((fd = connect_to(path)) < 0) {
    if (waitpid(pid, NULL, WNOHANG) == pid) {
      fprintf(stderr, "bench: the server ended before it answered\n");
      exit(1);
    }
    nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
  }
  send_all(fd, status_call, sizeof status_call);
  ssize_t count;
  do {
    count = recv(fd, reply, sizeof reply, 0);
    if (count <= 0) fail("recv");
  } while (reply[count - 1] != 0);
  close(fd);
}

static uint64_t run(const struct command *command) {
  uint64_t started = now_ns(), taken;
  pid_t pid = start(command->argv);
  if (command->socket == NULL) {
    await_end(pid, command->argv[0]);
    taken = now_ns() - started;
  } else {
    await_answer(command->socket, pid);
    taken = now_ns() - started;
    kill(pid, SIGTERM);
    await_end(pid, command->argv[0]);
  }
  return taken;
}

static int usage(void) {
  fprintf(stderr, "usage: spawn ROUNDS (exit | answer SOCKET) PROGRAM [ARGUMENT]… [-- …]\n");
  return EXIT_USAGE;
}

// Splits the arguments at "--". Returns how many commands there are, 0 where one is not well-formed.
static int parse(int argc, char **argv, struct command *commands) {
  int count = 0, at = 2;
  while (at < argc) {
    int is_answer = strcmp(argv[at], "answer") == 0;
    if (count == COMMAND_LIMIT || (!is_answer && strcmp(argv[at], "exit") != 0)) return 0;
    commands[count].socket = is_answer ? argv[at + 1] : NULL;
    commands[count].argv = argv + at + 1 + is_answer;
    while (at < argc && strcmp(argv[at], "--") != 0) at++;
    if (commands[count].argv >= argv + at) return 0;
    argv[at] = NULL;
    count++;
    at++;
  }
  return count;
}

int main(int argc, char **argv) {
  struct command commands[COMMAND_LIMIT];
  int rounds = argc > 2 ? atoi(argv[1]) : 0;
  int count = argc > 2 ? parse(argc, argv, commands) : 0;
  if (rounds < 1 || rounds > ROUND_LIMIT || count == 0) return usage();
  // Without it a sleep of 10 µs takes 60.
  prctl(PR_SET_TIMERSLACK, 1);
  uint64_t *taken = calloc((size_t)rounds * (size_t)count, sizeof *taken);
  if (taken == NULL) fail("calloc");
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < count; i++) taken[i * rounds + round] = run(&commands[i]);
  }
  for (int i = 0; i < count; i++) {
    printf("%s[", i == 0 ? "[" : ",");
    for (int round = 0; round < rounds; round++) {
      printf("%s%llu", round == 0 ? "" : ",", (unsigned long long)taken[i * rounds + round]);
    }
    printf("]");
  }
  printf("]\n");
  return 0;
}
