#ifndef CLOGIND_PRIVATE_H
#define CLOGIND_PRIVATE_H

#include "CLogind.h"

#include <fcntl.h>
#include <stdint.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-login.h>
#include <time.h>

/// How long one call to logind may take.
#define CLOGIND_CALL_USEC ((uint64_t)2000000)
/// More sessions of one user than these are not told apart.
enum { CLOGIND_SESSIONS = 256 };

struct clogind {
  sd_bus *bus;
  /// Tells that something about sessions has changed; null where there is no such thing.
  sd_login_monitor *changes;
  char *owner;
  /// While it is open, logind waits before it has the machine sleep.
  int promise;
  /// The events that have not been told, a bit each.
  unsigned pending;
  /// The machine is awake again: a new promise is due.
  int is_awake;
  /// logind has gone from the bus.
  int is_lost;
  /// The object paths of this user's login sessions.
  char *sessions[CLOGIND_SESSIONS];
  size_t session_count;
};

/// Asks the bus for the signals that matter.
int clogind_subscribe(struct clogind *login);
/// Notes the login sessions that there are.
void clogind_list_sessions(struct clogind *login);
/// Forgets the sessions that have ended in the meantime.
void clogind_review_sessions(struct clogind *login);

#endif
