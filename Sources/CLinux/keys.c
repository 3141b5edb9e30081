#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char type[] = "user";
// keyctl_setperm(3): everything for whoever possesses the key, nothing for anybody else.
enum { POSSESSOR_ALONE = 0x3f000000 };

static long keyctl_call(int operation, long second, long third, long fourth, long fifth) {
  long result = syscall(SYS_keyctl, (long)operation, second, third, fourth, fifth);
  return result < 0 ? -errno : result;
}

/// Without the link, nobody possesses the keys of the user's keyring, nor may read them.
static long link_user_keyring(void) {
  long linked = keyctl_call(KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_SESSION_KEYRING, 0, 0);
  // pam_keyinit(8) revokes the session's keyring at logout, which this process may outlive.
  return linked == 0 ? 0 : keyctl_call(KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_THREAD_KEYRING, 0, 0);
}

static long find(const char *description) {
  return keyctl_call(KEYCTL_SEARCH, KEY_SPEC_USER_KEYRING, (long)type, (long)description, 0);
}

int clinux_key_put(const char *description, const void *bytes, size_t count) {
  long linked = link_user_keyring();
  if (linked < 0) return (int)linked;
  long key = syscall(SYS_add_key, type, description, bytes, count, (long)KEY_SPEC_USER_KEYRING);
  if (key < 0) return -errno;
  return (int)keyctl_call(KEYCTL_SETPERM, key, POSSESSOR_ALONE, 0, 0);
}

ssize_t clinux_key_read(const char *description, void *out, size_t count) {
  long linked = link_user_keyring();
  if (linked < 0) return linked;
  long key = find(description);
  return key < 0 ? key : keyctl_call(KEYCTL_READ, key, (long)out, (long)count, 0);
}

int clinux_key_remove(const char *description) {
  long linked = link_user_keyring();
  if (linked < 0) return (int)linked;
  long key = find(description);
  if (key < 0) return (int)key;
  // Wiped at once, wherever else it is linked; what remains to unlink may be gone by then.
  long invalidated = keyctl_call(KEYCTL_INVALIDATE, key, 0, 0, 0);
  long unlinked = keyctl_call(KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING, 0, 0);
  return (int)(invalidated == 0 ? 0 : unlinked);
}

int clinux_close_session_keyring(void) {
  long joined = keyctl_call(KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0);
  return (int)(joined < 0 ? joined : keyctl_call(KEYCTL_REVOKE, KEY_SPEC_SESSION_KEYRING, 0, 0, 0));
}

int clinux_refuse_keys(int error) {
  struct sock_filter rules[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_keyctl, 1, 0),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_add_key, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) != 0) return -errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : -errno;
}
