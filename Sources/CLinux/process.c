#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_set_dumpable(int on) { return prctl(PR_SET_DUMPABLE, on ? 1L : 0L, 0L, 0L, 0L) == 0 ? 0 : -errno; }

int clinux_dumpable(void) {
  int value = prctl(PR_GET_DUMPABLE, 0L, 0L, 0L, 0L);
  return value < 0 ? -errno : value;
}

char *const *clinux_environment(void) { return environ; }

void clinux_restore_crash_signals(void) {
  static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
    struct sigaction current;
    if (sigaction(crashes[i], NULL, &current) == 0 && current.sa_handler != SIG_IGN) signal(crashes[i], SIG_DFL);
  }
}

int clinux_no_core_dumps(void) {
  const struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none) == 0 ? 0 : -errno;
}


int clinux_exited(int status) { return WIFEXITED(status); }
int clinux_exit_code(int status) { return WEXITSTATUS(status); }
int clinux_termination_signal(int status) { return WTERMSIG(status); }
