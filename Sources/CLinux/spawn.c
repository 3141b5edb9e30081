#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>

static int is_target(const struct clinux_spawn *plan, int number) {
  for (size_t i = 0; i < plan->descriptors; i++)
    if (plan->targets[i] == number) return 1;
  return 0;
}

static int add_actions(const struct clinux_spawn *plan, posix_spawn_file_actions_t *actions) {
  int result = 0, end = 3;
  if (plan->directory) result = posix_spawn_file_actions_addchdir_np(actions, plan->directory);
  // The session is new when this runs: the first terminal that it opens becomes its controlling one.
  const char *rest = plan->terminal ? plan->terminal : "/dev/null";
  for (int number = 0; number < 3 && result == 0; number++)
    if (!is_target(plan, number)) result = posix_spawn_file_actions_addopen(actions, number, rest, O_RDWR, 0);
  for (size_t i = 0; i < plan->descriptors && result == 0; i++) {
    result = posix_spawn_file_actions_adddup2(actions, plan->sources[i], plan->targets[i]);
    if (plan->targets[i] >= end) end = plan->targets[i] + 1;
  }
  for (int number = 3; number < end && result == 0; number++)
    if (!is_target(plan, number)) result = posix_spawn_file_actions_addclose(actions, number);
  return result ? result : posix_spawn_file_actions_addclosefrom_np(actions, end);
}

pid_t clinux_spawn(const struct clinux_spawn *plan) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  pid_t pid = 0;
  sigemptyset(&none);
  sigfillset(&all);
  int result = posix_spawn_file_actions_init(&actions);
  if (result != 0) return -result;
  if ((result = posix_spawnattr_init(&attributes)) == 0) {
    int session = plan->new_session || plan->terminal ? POSIX_SPAWN_SETSID : 0;
    posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session));
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    result = add_actions(plan, &actions);
    if (result == 0)
      result = posix_spawn(&pid, plan->executable, &actions, &attributes, plan->arguments, plan->environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return result == 0 ? pid : -result;
}
