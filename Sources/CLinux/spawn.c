#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// vfork(2) rather than posix_spawn(3), which can't have the kernel end the child with its parent.

static int is_target(const struct clinux_spawn *plan, int number) {
  for (size_t i = 0; i < plan->descriptors; i++)
    if (plan->targets[i] == number) return 1;
  return 0;
}

/// Puts each descriptor where the plan wants it, and closes all others. Gives 0, or an errno.
static int arrange_descriptors(const struct clinux_spawn *plan) {
  // The session is new when this runs: the first terminal that it opens becomes its controlling one.
  const char *rest = plan->terminal ? plan->terminal : "/dev/null";
  int end = 3;
  for (int number = 0; number < 3; number++) {
    if (is_target(plan, number)) continue;
    int fd = open(rest, O_RDWR);
    if (fd < 0) return errno;
    if (fd == number) continue;
    if (dup2(fd, number) < 0) return errno;
    close(fd);
  }
  for (size_t i = 0; i < plan->descriptors; i++) {
    if (dup2(plan->sources[i], plan->targets[i]) < 0) return errno;
    if (plan->targets[i] >= end) end = plan->targets[i] + 1;
  }
  for (int number = 3; number < end; number++)
    if (!is_target(plan, number)) close(number);
  return close_range((unsigned)end, ~0u, 0) == 0 ? 0 : errno;
}

/// In the child, whose memory is the parent's: calls of the kernel alone, and nothing is written but its own frames.
static int become(const struct clinux_spawn *plan, pid_t parent) {
  struct sigaction normal = {.sa_handler = SIG_DFL};
  // Its handlers are its own; those of the C library's two signals stay and end with the execve.
  for (int number = 1; number < _NSIG; number++) sigaction(number, &normal, NULL);
  if (plan->ends_with_caller) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return errno;
    // It may have ended before.
    if (getppid() != parent) return ESRCH;
  }
  if ((plan->new_session || plan->terminal) && setsid() < 0) return errno;
  if (plan->directory && chdir(plan->directory) != 0) return errno;
  int result = arrange_descriptors(plan);
  if (result != 0) return result;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(plan->executable, plan->arguments, plan->environment);
  return errno;
}

pid_t clinux_spawn(const struct clinux_spawn *plan) {
  sigset_t all, before;
  sigfillset(&all);
  // No handler of ours may run in the child: it would do so in the parent's memory.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t parent = getpid();
  volatile int error = 0;
  pid_t pid = vfork();
  if (pid == 0) {
    error = become(plan, parent);
    _exit(127);
  }
  int result = pid < 0 ? errno : error;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pid > 0 && result != 0) {
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  }
  return result == 0 ? pid : -result;
}
