#ifndef CLINUX_H
#define CLINUX_H

// Linux calls that Swift's Glibc module does not import, or imports in a shape that Swift can't use, behind functions of
// plain types. Unless a function says otherwise it gives a value of 0 or more, or the negated errno.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: - Files

/// open(2), always with O_CLOEXEC.
int clinux_open(const char *path, int flags, unsigned mode);
/// Opens a new file of a directory that has no name yet, for writing; -EOPNOTSUPP, -EISDIR…: the file system has none such.
int clinux_open_unnamed(const char *directory, unsigned mode);
/// Gives it one that is free. Takes /proc.
int clinux_name(int fd, const char *path);
/// rename(2) that fails with EEXIST when the target exists.
int clinux_rename_no_replace(const char *from, const char *to);
/// Gives a file room on the disk for its first `bytes` bytes, and leaves its size as it is.
int clinux_reserve(int fd, uint64_t bytes);

/// What stat(2) says, in plain types.
struct clinux_status {
  uint64_t device, inode, size, links;
  // Of the last change to content or attributes, in nanoseconds since 1970.
  uint64_t changed;
  uint32_t mode, owner, group;
};
int clinux_stat(const char *path, int follow, struct clinux_status *out);
int clinux_fstat(int fd, struct clinux_status *out);

// MARK: - Descriptors

/// Closes every descriptor from `first` on.
int clinux_close_from(unsigned first);
/// Whether `fd` becomes readable (or its peer goes away) in `milliseconds`; negative is without end. Gives 1 or 0.
int clinux_wait_readable(int fd, int milliseconds);
/// Whether `fd` becomes writable (or its peer goes away) in `milliseconds`; negative is without end. Gives 1 or 0.
int clinux_wait_writable(int fd, int milliseconds);
/// Whether the peer of the socket `fd` has closed its end: 1 or 0.
int clinux_is_peer_gone(int fd);
/// A pipe: the end to read, the end to write.
int clinux_pipe(int ends[2]);
/// A file in memory without a name, open for reading and writing, closed on exec.
int clinux_memory_file(const char *name);
/// A descriptor that becomes readable when the child `pid` ends.
int clinux_pidfd(pid_t pid);

// MARK: - Unix sockets

/// The longest path that fits sockaddr_un with its final NUL.
int clinux_socket_path_limit(void);
int clinux_socket(void);
int clinux_bind(int fd, const char *path);
/// connect(2), bounded in time even where the backlog is full.
int clinux_connect(int fd, const char *path, int milliseconds);
int clinux_accept(int fd);
/// Whether `fd` is a listening Unix stream socket: 1 or 0.
int clinux_is_unix_listener(int fd);
/// Stops the kernel from attaching credentials to messages on `fd`, which would look like attached descriptors.
int clinux_refuse_ancillary(int fd);
/// The path that `fd` is bound to, with a final NUL. Fails with EINVAL when it has none.
int clinux_socket_name(int fd, char *out, size_t count);
int clinux_peer_credentials(int fd, uint32_t *uid, uint32_t *gid, pid_t *pid);
/// A descriptor of the peer's process (SO_PEERPIDFD, Linux 6.5); ENOPROTOOPT on an older kernel.
int clinux_peer_pidfd(int fd);
/// recvmsg(2) without room for descriptors: the kernel drops attached ones before they are ever installed, and
/// `*attached` says that there were some.
ssize_t clinux_receive(int fd, void *bytes, size_t count, int block, int *attached);
/// Sends without SIGPIPE and without blocking.
ssize_t clinux_send(int fd, const void *bytes, size_t count);
/// Sends one byte with `attached` beside it (tests of the refusal).
int clinux_send_descriptor(int fd, int attached);

// MARK: - Service manager

/// Sends one datagram to the Unix socket `name`, an absolute path or an abstract name after '@'; -EAGAIN where that takes none at
/// the moment.
int clinux_notify(const char *name, const void *bytes, size_t count);
/// A datagram socket bound to such a name (tests of the notices).
int clinux_bind_notify(const char *name);

// MARK: - Process

int clinux_set_dumpable(int on);
int clinux_dumpable(void);
/// The environment, ended by a null pointer; valid until it is changed.
char *const *clinux_environment(void);
/// The signals whose default handling Swift's backtracer replaces go back to it.
void clinux_restore_crash_signals(void);
/// Sets both limits of the core size to 0.
int clinux_no_core_dumps(void);

/// A program to start. The descriptor `sources[i]` becomes `targets[i]`; those of 0 to 2 that are not named become
/// `terminal` (which is then the controlling one) or /dev/null; no other descriptor, blocked or ignored signal is passed on.
struct clinux_spawn {
  const char *executable;
  char *const *arguments, *const *environment;
  const int *targets, *sources;
  size_t descriptors;
  int new_session;
  /// Whether it is killed when the thread that has started it ends, as with the whole process.
  int ends_with_caller;
  const char *terminal, *directory;
};
/// Gives the pid. No source may be below a target's number.
pid_t clinux_spawn(const struct clinux_spawn *plan);
int clinux_exited(int status);
int clinux_exit_code(int status);
int clinux_termination_signal(int status);

// MARK: - Keys

// Keys of the type "user" in the kernel's keyring of this user: they are gone after a restart of the machine. Each call links
// that keyring into the session keyring first, or where that is closed, into the thread's. -ENOKEY: there is no such key.

/// Adds a key or replaces its bytes; only who possesses it may see it.
int clinux_key_put(const char *description, const void *bytes, size_t count);
/// The whole length of the key's bytes; they are in `out` unless that is above `count`.
ssize_t clinux_key_read(const char *description, void *out, size_t count);
int clinux_key_remove(const char *description);
/// Gives this process a session keyring of its own and revokes it, as a logout does (tests of what outlives one).
int clinux_close_session_keyring(void);
/// Has the kernel refuse those calls with `error` from here on, as a container does (tests of the refusal).
int clinux_refuse_keys(int error);

// MARK: - Terminal

/// Columns of the terminal, or 0 when it does not know.
int clinux_terminal_columns(int fd);
/// Rows of the terminal, or 0 when it does not know.
int clinux_terminal_rows(int fd);
/// Opens a new pseudo-terminal (tests of prompts): gives the side to type into, and the path of the other in `name`.
int clinux_pseudo_terminal(char *name, size_t count);
/// Puts the terminal in raw mode (no echo, bytes as they are typed, signals as bytes) until `clinux_terminal_leave`, and
/// restores it before SIGINT, SIGTERM, SIGHUP, SIGQUIT or SIGTSTP takes effect; back from a stop, it is raw again.
/// One terminal at a time: EBUSY. `paste` asks the terminal to mark pasted text, `screen` to show its second screen meanwhile.
int clinux_terminal_enter(int fd, int paste, int screen);
/// Restores the terminal; `discard` throws away what was typed and not read.
void clinux_terminal_leave(int discard);
/// How often the terminal went raw again after a stop.
unsigned clinux_terminal_resumptions(void);
/// Stops the process as Ctrl-Z would.
void clinux_suspend(void);

#endif
