#include "service.h"

#include <unistd.h>

// A service that never asks: libsecret hands every prompt of the real service to these methods, and they refuse. A prompt
// that nobody starts shows nothing.

typedef SecretService QuietService;
typedef SecretServiceClass QuietServiceClass;
G_DEFINE_TYPE(QuietService, quiet_service, SECRET_TYPE_SERVICE)

static gboolean wanted_to_ask = FALSE;

static GVariant *refuse_sync(SecretService *self, SecretPrompt *prompt, GCancellable *cancellable, const GVariantType *type,
                             GError **error) {
  wanted_to_ask = TRUE;
  g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "a prompt");
  return NULL;
}

static void refuse(SecretService *self, SecretPrompt *prompt, const GVariantType *type, GCancellable *cancellable,
                   GAsyncReadyCallback callback, gpointer data) {
  wanted_to_ask = TRUE;
  g_autoptr(GTask) task = g_task_new(self, cancellable, callback, data);
  g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "a prompt");
}

static GVariant *refuse_finish(SecretService *self, GAsyncResult *result, GError **error) {
  return g_task_propagate_pointer(G_TASK(result), error);
}

static void quiet_service_class_init(QuietServiceClass *class) {
  class->prompt_sync = refuse_sync;
  class->prompt_async = refuse;
  class->prompt_finish = refuse_finish;
}

static void quiet_service_init(QuietService *self) {}

static GLogWriterOutput discard_log(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
  return G_LOG_WRITER_HANDLED;
}

static void discard_text(const gchar *text) {}

void ckeyring_prepare(unsigned seconds) {
  alarm(seconds);
  g_setenv("GIO_USE_VFS", "local", TRUE);
  g_setenv("GIO_MODULE_DIR", "/dev/null", TRUE);
  g_log_set_writer_func(discard_log, NULL, NULL);
  g_set_print_handler(discard_text);
  g_set_printerr_handler(discard_text);
}

/// Whether there is an address to connect to. Without one, GLib would start a bus of its own, where no keyring is.
static gboolean has_bus_address(void) {
  const gchar *address = g_getenv("DBUS_SESSION_BUS_ADDRESS");
  if (address && *address) return !g_str_has_prefix(address, "autolaunch:");
  const gchar *runtime = g_getenv("XDG_RUNTIME_DIR");
  if (!runtime || !*runtime) return FALSE;
  g_autofree gchar *path = g_build_filename(runtime, "bus", NULL);
  return g_file_test(path, G_FILE_TEST_EXISTS);
}

enum ckeyring_status ckeyring_verdict(const GError *error) {
  if (wanted_to_ask) return CKEYRING_WOULD_ASK;
  if (g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED)) return CKEYRING_LOCKED;
  if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN)) return CKEYRING_NO_SERVICE;
  if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER)) return CKEYRING_NO_SERVICE;
  return CKEYRING_FAILED;
}

/// Whether somebody serves the name already: who took it by himself has no file by which the bus could start him.
static gboolean has_owner(GDBusConnection *bus, const gchar *name) {
  gboolean result = FALSE;
  g_autoptr(GVariant) reply = g_dbus_connection_call_sync(
    bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner", g_variant_new("(s)", name),
    G_VARIANT_TYPE("(b)"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  if (reply) g_variant_get(reply, "(b)", &result);
  return result;
}

enum ckeyring_status ckeyring_open(SecretService **service) {
  static const gchar name[] = "org.freedesktop.secrets";
  g_autoptr(GError) error = NULL;
  if (!has_bus_address()) return CKEYRING_NO_BUS;
  g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
  if (!bus) return CKEYRING_NO_BUS;
  g_dbus_connection_set_exit_on_close(bus, FALSE);
  g_autoptr(GVariant) started = g_dbus_connection_call_sync(
    bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
    g_variant_new("(su)", name, 0), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  if (!started && !has_owner(bus, name)) return CKEYRING_NO_SERVICE;
  *service = secret_service_open_sync(quiet_service_get_type(), name, SECRET_SERVICE_OPEN_SESSION, NULL, &error);
  return *service ? CKEYRING_OK : ckeyring_verdict(error);
}

enum ckeyring_status ckeyring_default(SecretService *service, SecretCollection **collection) {
  g_autoptr(GError) error = NULL;
  g_autofree gchar *path = secret_service_read_alias_dbus_path_sync(service, SECRET_COLLECTION_DEFAULT, NULL, &error);
  if (!path) return error ? ckeyring_verdict(error) : CKEYRING_NO_COLLECTION;
  *collection = secret_collection_new_for_dbus_path_sync(service, path, SECRET_COLLECTION_NONE, NULL, &error);
  if (!*collection) {
    // gnome-keyring names the login collection before there is one.
    gboolean missing = g_error_matches(error, SECRET_ERROR, SECRET_ERROR_NO_SUCH_OBJECT)
                       || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_OBJECT)
                       || g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD);
    return missing ? CKEYRING_NO_COLLECTION : ckeyring_verdict(error);
  }
  if (!secret_collection_get_locked(*collection)) return CKEYRING_OK;
  g_clear_object(collection);
  return CKEYRING_LOCKED;
}
