#ifndef CLOGIND_H
#define CLOGIND_H

// What systemd-logind tells on the system bus of this user's sessions, and its promise to wait before the machine sleeps.
// One thread. Calls give 0 or more, or the negated errno, unless they say otherwise.

/// A connection to the bus.
struct clogind;

enum clogind_event {
  /// The machine is about to sleep; logind waits until clogind_release, or a few seconds (InhibitDelayMaxSec).
  CLOGIND_SLEEP,
  /// A session of this user was locked.
  CLOGIND_LOCK,
  /// The last login session of this user has ended.
  CLOGIND_END,
  /// There is a login session of this user, after there was none.
  CLOGIND_BEGIN,
  /// There was none when the connection was made.
  CLOGIND_NONE,
  /// Nothing has happened for a while.
  CLOGIND_QUIET,
  /// Something can be read from the other descriptor, or its peer is gone.
  CLOGIND_INPUT,
};

/// Before any other call: this process ends when the thread that started it does.
void clogind_prepare(void);
/// Connects, listens, and takes the promise. -ENOENT, -ECONNREFUSED…: there is no bus; -ENXIO: no logind is on it.
int clogind_open(struct clogind **out);
/// Whether logind has promised to wait: 1 or 0.
int clogind_is_delaying(const struct clogind *login);
/// Waits for an event (enum clogind_event), or for input on `other`, at most for so long. An error is the end of the connection.
int clogind_next(struct clogind *login, int other, unsigned milliseconds);
/// The machine may sleep.
void clogind_release(struct clogind *login);
/// Ends the connection and frees it.
void clogind_close(struct clogind *login);

#endif
