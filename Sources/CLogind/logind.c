#include "logind.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MANAGER_INTERFACE "org.freedesktop.login1.Manager"
static const char service[] = "org.freedesktop.login1", manager[] = "/org/freedesktop/login1";

void clogind_prepare(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

/// The unique name of whoever owns logind's: signals of anybody else are not believed.
static int find_owner(struct clogind *login) {
  sd_bus_message *call = NULL, *reply = NULL;
  sd_bus_error error = SD_BUS_ERROR_NULL;
  const char *owner;
  int result = sd_bus_message_new_method_call(
    login->bus, &call, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner");
  if (result >= 0) result = sd_bus_message_append(call, "s", service);
  if (result >= 0) result = sd_bus_call(login->bus, call, CLOGIND_CALL_USEC, &error, &reply);
  if (result >= 0) result = sd_bus_message_read(reply, "s", &owner);
  if (result >= 0 && !(login->owner = strdup(owner))) result = -ENOMEM;
  // Anything else is about the bus itself, which may be out of reach.
  else if (sd_bus_error_has_name(&error, SD_BUS_ERROR_NAME_HAS_NO_OWNER)) result = -ENXIO;
  sd_bus_error_free(&error);
  sd_bus_message_unref(call);
  sd_bus_message_unref(reply);
  return result;
}

static void take_promise(struct clogind *login) {
  sd_bus_message *call = NULL, *reply = NULL;
  int descriptor = -1;
  clogind_release(login);
  int result = sd_bus_message_new_method_call(login->bus, &call, service, manager, MANAGER_INTERFACE, "Inhibit");
  if (result >= 0) result = sd_bus_message_append(call, "ssss", "sleep", "passcoded", "Lock the credential store", "delay");
  if (result >= 0) result = sd_bus_call(login->bus, call, CLOGIND_CALL_USEC, NULL, &reply);
  if (result >= 0) result = sd_bus_message_read(reply, "h", &descriptor);
  // The message owns the descriptor that it brought.
  if (result >= 0) login->promise = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  sd_bus_message_unref(call);
  sd_bus_message_unref(reply);
}

static int prepares_for_sleep(struct clogind *login) {
  int is_preparing = 0;
  int result = sd_bus_get_property_trivial(
    login->bus, service, manager, MANAGER_INTERFACE, "PreparingForSleep", NULL, 'b', &is_preparing);
  return result >= 0 && is_preparing;
}

int clogind_open(struct clogind **out) {
  struct clogind *login = calloc(1, sizeof *login);
  if (!login) return -ENOMEM;
  login->promise = -1;
  int result = sd_bus_open_system(&login->bus);
  if (result >= 0) result = sd_bus_set_method_call_timeout(login->bus, CLOGIND_CALL_USEC);
  if (result >= 0) result = find_owner(login);
  // Before anything is asked: what happens from here on is not missed.
  if (result >= 0) result = clogind_subscribe(login);
  if (result >= 0) {
    // Of a session that closes, the bus tells nothing.
    if (sd_login_monitor_new("session", &login->changes) < 0) login->changes = NULL;
    clogind_list_sessions(login);
    if (login->session_count == 0) login->pending |= 1u << CLOGIND_NONE;
    take_promise(login);
    if (prepares_for_sleep(login)) login->pending |= 1u << CLOGIND_SLEEP;
    *out = login;
    return 0;
  }
  clogind_close(login);
  return result;
}

int clogind_is_delaying(const struct clogind *login) { return login->promise >= 0; }

/// The most urgent event that has not been told; -1: none.
static int take_pending(struct clogind *login) {
  static const enum clogind_event order[] = {CLOGIND_SLEEP, CLOGIND_LOCK, CLOGIND_END, CLOGIND_BEGIN, CLOGIND_NONE};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    if (!(login->pending & (1u << order[i]))) continue;
    login->pending &= ~(1u << order[i]);
    return (int)order[i];
  }
  return -1;
}

/// Microseconds of the monotonic clock, by which sd-bus goes too.
static uint64_t clock_usec(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/// Waits until there is something to do on the bus or the time has come (1), or on `other` (0). What has changed about sessions is
/// looked at.
static int wait_for(struct clogind *login, int other, uint64_t end) {
  uint64_t until, at = clock_usec();
  int events = sd_bus_get_events(login->bus), result = sd_bus_get_timeout(login->bus, &until);
  if (events < 0) return events;
  if (result < 0) return result;
  if (until > end) until = end;
  uint64_t left = until > at ? (until - at) / 1000 + 1 : 0;
  int milliseconds = left > 60000 ? 60000 : (int)left;
  struct pollfd waited[] = {
    {.fd = other, .events = POLLIN},
    {.fd = sd_bus_get_fd(login->bus), .events = (short)events},
    {.fd = login->changes ? sd_login_monitor_get_fd(login->changes) : -1, .events = POLLIN},
  };
  if (poll(waited, 3, milliseconds) < 0 && errno != EINTR) return -errno;
  if (waited[2].revents != 0) {
    sd_login_monitor_flush(login->changes);
    clogind_review_sessions(login);
  }
  return waited[0].revents == 0;
}

int clogind_next(struct clogind *login, int other, unsigned milliseconds) {
  uint64_t end = clock_usec() + (uint64_t)milliseconds * 1000;
  while (1) {
    if (login->is_awake) {
      login->is_awake = 0;
      take_promise(login);
    }
    int event = take_pending(login);
    if (event >= 0) return event;
    int result = sd_bus_process(login->bus, NULL);
    if (result < 0) return result;
    if (login->is_lost) return -ENXIO;
    if (result > 0) continue;
    if (clock_usec() >= end) return CLOGIND_QUIET;
    result = wait_for(login, other, end);
    if (result < 0) return result;
    if (result == 0) return CLOGIND_INPUT;
  }
}

void clogind_release(struct clogind *login) {
  if (login->promise >= 0) close(login->promise);
  login->promise = -1;
}

void clogind_close(struct clogind *login) {
  clogind_release(login);
  for (size_t i = 0; i < login->session_count; i++) free(login->sessions[i]);
  free(login->owner);
  sd_login_monitor_unref(login->changes);
  sd_bus_close_unref(login->bus);
  free(login);
}
