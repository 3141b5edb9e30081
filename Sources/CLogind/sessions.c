#include "logind.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SERVICE "org.freedesktop.login1"
#define MANAGER "/org/freedesktop/login1"
#define SIGNAL_OF "type='signal',sender='" SERVICE "',"
static const char service[] = SERVICE, session_interface[] = SERVICE ".Session";

// MARK: - The sessions

static size_t place_of(const struct clogind *login, const char *path) {
  size_t place = 0;
  while (place < login->session_count && strcmp(login->sessions[place], path) != 0) place++;
  return place;
}

static int is_ours(const struct clogind *login, const char *path) {
  return path && place_of(login, path) < login->session_count;
}

/// Whether a text property of a session begins with `text`: 1 or 0.
static int begins(struct clogind *login, const char *path, const char *property, const char *text) {
  char *value = NULL;
  int result = sd_bus_get_property_string(login->bus, service, path, session_interface, property, NULL, &value);
  int is_so = result >= 0 && strncmp(value, text, strlen(text)) == 0;
  free(value);
  return is_so;
}

/// Whether its person has logged out. What they left running, such as a daemon, keeps it from being removed.
static int is_closing(struct clogind *login, const char *path) { return begins(login, path, "State", "closing"); }

/// Whether a person logged in: cron's sessions, the user manager's own and a greeter's are of other classes.
static int is_login(struct clogind *login, const char *path) {
  return begins(login, path, "Class", "user") && !is_closing(login, path);
}

static void add_session(struct clogind *login, const char *path) {
  if (login->session_count == CLOGIND_SESSIONS || is_ours(login, path) || !is_login(login, path)) return;
  char *copy = strdup(path);
  if (!copy) return;
  if (login->session_count == 0) login->pending |= 1u << CLOGIND_BEGIN;
  login->sessions[login->session_count++] = copy;
  // It may have been locked while nobody listened.
  int is_locked = 0;
  int result = sd_bus_get_property_trivial(login->bus, service, path, session_interface, "LockedHint", NULL, 'b', &is_locked);
  if (result >= 0 && is_locked) login->pending |= 1u << CLOGIND_LOCK;
}

static void add_session_of_this_user(struct clogind *login, const char *path) {
  sd_bus_message *reply = NULL;
  uint32_t uid;
  int result = sd_bus_get_property(login->bus, service, path, session_interface, "User", NULL, &reply, "(uo)");
  if (result >= 0) result = sd_bus_message_read(reply, "(uo)", &uid, NULL);
  if (result >= 0 && uid == geteuid()) add_session(login, path);
  sd_bus_message_unref(reply);
}

static void remove_session(struct clogind *login, const char *path) {
  size_t place = place_of(login, path);
  if (place == login->session_count) return;
  free(login->sessions[place]);
  login->sessions[place] = login->sessions[--login->session_count];
  if (login->session_count > 0) return;
  login->pending &= ~(1u << CLOGIND_BEGIN);
  login->pending |= 1u << CLOGIND_END;
}

void clogind_review_sessions(struct clogind *login) {
  for (size_t place = login->session_count; place-- > 0;)
    if (is_closing(login, login->sessions[place])) remove_session(login, login->sessions[place]);
}

void clogind_list_sessions(struct clogind *login) {
  sd_bus_message *reply = NULL;
  const char *path;
  uint32_t uid;
  int result = sd_bus_call_method(login->bus, service, MANAGER, SERVICE ".Manager", "ListSessions", NULL, &reply, "");
  if (result >= 0) result = sd_bus_message_enter_container(reply, 'a', "(susso)");
  while (result >= 0 && (result = sd_bus_message_read(reply, "(susso)", NULL, &uid, NULL, NULL, &path)) > 0)
    if (uid == geteuid()) add_session(login, path);
  sd_bus_message_unref(reply);
}

// MARK: - Signals

static int is_believed(const struct clogind *login, sd_bus_message *message) {
  const char *sender = sd_bus_message_get_sender(message);
  return sender && strcmp(sender, login->owner) == 0;
}

static int on_sleep(sd_bus_message *message, void *data, sd_bus_error *error) {
  struct clogind *login = data;
  int is_going_to_sleep;
  (void)error;
  if (!is_believed(login, message) || sd_bus_message_read(message, "b", &is_going_to_sleep) < 0) return 0;
  if (is_going_to_sleep)
    login->pending |= 1u << CLOGIND_SLEEP;
  else
    login->is_awake = 1;
  return 0;
}

static int on_lock(sd_bus_message *message, void *data, sd_bus_error *error) {
  struct clogind *login = data;
  (void)error;
  if (is_believed(login, message) && is_ours(login, sd_bus_message_get_path(message))) login->pending |= 1u << CLOGIND_LOCK;
  return 0;
}

/// Whether the changed properties of a session say that it is locked.
static int says_locked(sd_bus_message *message) {
  const char *name;
  int is_locked = 0, result = sd_bus_message_skip(message, "s");
  if (result >= 0) result = sd_bus_message_enter_container(message, 'a', "{sv}");
  while (result >= 0 && (result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
    result = sd_bus_message_read(message, "s", &name);
    if (result >= 0)
      result = strcmp(name, "LockedHint") == 0 ? sd_bus_message_read(message, "v", "b", &is_locked)
                                               : sd_bus_message_skip(message, "v");
    if (result >= 0) result = sd_bus_message_exit_container(message);
  }
  return result >= 0 && is_locked;
}

static int on_properties(sd_bus_message *message, void *data, sd_bus_error *error) {
  struct clogind *login = data;
  (void)error;
  if (!is_believed(login, message) || !is_ours(login, sd_bus_message_get_path(message))) return 0;
  if (says_locked(message)) login->pending |= 1u << CLOGIND_LOCK;
  if (is_closing(login, sd_bus_message_get_path(message))) remove_session(login, sd_bus_message_get_path(message));
  return 0;
}

static int on_session(sd_bus_message *message, void *data, sd_bus_error *error) {
  struct clogind *login = data;
  const char *path;
  (void)error;
  if (!is_believed(login, message) || sd_bus_message_read(message, "so", NULL, &path) < 0) return 0;
  if (sd_bus_message_is_signal(message, NULL, "SessionNew"))
    add_session_of_this_user(login, path);
  else
    remove_session(login, path);
  return 0;
}

static int on_owner(sd_bus_message *message, void *data, sd_bus_error *error) {
  struct clogind *login = data;
  const char *sender = sd_bus_message_get_sender(message);
  (void)error;
  // Another logind knows nothing of our promise: everything begins anew.
  if (sender && strcmp(sender, "org.freedesktop.DBus") == 0) login->is_lost = 1;
  return 0;
}

int clogind_subscribe(struct clogind *login) {
  static const struct {
    const char *match;
    sd_bus_message_handler_t handler;
  } signals[] = {
    {SIGNAL_OF "path='" MANAGER "',interface='" SERVICE ".Manager',member='PrepareForSleep'", on_sleep},
    {SIGNAL_OF "path='" MANAGER "',interface='" SERVICE ".Manager',member='SessionNew'", on_session},
    {SIGNAL_OF "path='" MANAGER "',interface='" SERVICE ".Manager',member='SessionRemoved'", on_session},
    {SIGNAL_OF "path_namespace='" MANAGER "/session',interface='" SERVICE ".Session',member='Lock'", on_lock},
    {SIGNAL_OF "path_namespace='" MANAGER "/session',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
     on_properties},
    {"type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" SERVICE "'",
     on_owner},
  };
  int result = 0;
  for (size_t i = 0; i < sizeof signals / sizeof *signals && result >= 0; i++)
    result = sd_bus_add_match(login->bus, NULL, signals[i].match, signals[i].handler, login);
  return result;
}
