#include <string.h>
#include <sys/random.h>

#include "service.h"

static const gchar schema[] = "org.passcoded.QuickUnlock";
static const gchar probe_schema[] = "org.passcoded.QuickUnlock.Probe";
static const gchar schema_key[] = "xdg:schema", store_key[] = "store", generation_key[] = "generation";

/// The attributes of an item; the store and the generation (the latter only with the former) may be NULL.
static GHashTable *attributes(const gchar *kind, const uint8_t *store, const uint64_t *generation) {
  GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
  g_hash_table_insert(table, (gpointer)schema_key, g_strdup(kind));
  if (!store) return table;
  GString *hex = g_string_new(NULL);
  for (int i = 0; i < CKEYRING_ID_BYTES; i++) g_string_append_printf(hex, "%02x", store[i]);
  g_hash_table_insert(table, (gpointer)store_key, g_string_free(hex, FALSE));
  if (generation) g_hash_table_insert(table, (gpointer)generation_key, g_strdup_printf("%" G_GUINT64_FORMAT, *generation));
  return table;
}

/// The D-Bus paths of the items with these attributes, or NULL and `error`.
static gchar **search(SecretCollection *collection, const uint8_t *store, const uint64_t *generation, GError **error) {
  g_autoptr(GHashTable) wanted = attributes(schema, store, generation);
  return secret_collection_search_for_dbus_paths_sync(collection, NULL, wanted, NULL, error);
}

/// Creates an item, over one with the same attributes, and gives its path, or NULL and `error`.
static gchar *create(SecretService *service, SecretCollection *collection, GHashTable *attributes, const uint8_t *secret,
                     GError **error) {
  g_autoptr(GHashTable) properties =
    g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_variant_unref);
  GVariantBuilder builder;
  GHashTableIter each;
  gpointer key, value;
  g_variant_builder_init(&builder, G_VARIANT_TYPE("a{ss}"));
  g_hash_table_iter_init(&each, attributes);
  while (g_hash_table_iter_next(&each, &key, &value)) g_variant_builder_add(&builder, "{ss}", key, value);
  g_hash_table_insert(properties, (gpointer)"org.freedesktop.Secret.Item.Attributes",
                      g_variant_ref_sink(g_variant_builder_end(&builder)));
  g_hash_table_insert(properties, (gpointer)"org.freedesktop.Secret.Item.Label",
                      g_variant_ref_sink(g_variant_new_string("Quick unlock of passcoded")));
  // libsecret keeps a value in locked memory and wipes it.
  g_autoptr(SecretValue) content =
    secret_value_new((const gchar *)secret, CKEYRING_SECRET_BYTES, "application/octet-stream");
  return secret_service_create_item_dbus_path_sync(service, g_dbus_proxy_get_object_path(G_DBUS_PROXY(collection)), properties,
                                                   content, SECRET_ITEM_CREATE_REPLACE, NULL, error);
}

static enum ckeyring_status read_secret(SecretService *service, const gchar *path, uint8_t *secret) {
  g_autoptr(GError) error = NULL;
  g_autoptr(SecretValue) value = secret_service_get_secret_for_dbus_path_sync(service, path, NULL, &error);
  if (!value) return error ? ckeyring_verdict(error) : CKEYRING_ABSENT;
  gsize count = 0;
  const gchar *bytes = secret_value_get(value, &count);
  if (count != CKEYRING_SECRET_BYTES) return CKEYRING_FOREIGN;
  memcpy(secret, bytes, CKEYRING_SECRET_BYTES);
  return CKEYRING_OK;
}

/// Why there is no item of `generation`, from the attributes of the store's others.
static enum ckeyring_status explain(SecretService *service, SecretCollection *collection, const uint8_t *store,
                                    uint64_t generation) {
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) paths = search(collection, store, NULL, &error);
  if (!paths) return ckeyring_verdict(error);
  enum ckeyring_status status = CKEYRING_ABSENT;
  for (gchar **path = paths; *path && status != CKEYRING_NEWER; path++) {
    g_autoptr(SecretItem) item = secret_item_new_for_dbus_path_sync(service, *path, SECRET_ITEM_NONE, NULL, NULL);
    if (!item) continue;
    g_autoptr(GHashTable) found = secret_item_get_attributes(item);
    const gchar *text = g_hash_table_lookup(found, generation_key);
    guint64 value = 0;
    if (text && g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &value, NULL))
      status = value > generation ? CKEYRING_NEWER : CKEYRING_OLDER;
    else if (status == CKEYRING_ABSENT) status = CKEYRING_FOREIGN;
  }
  if (status != CKEYRING_ABSENT) return status;
  g_auto(GStrv) others = search(collection, NULL, NULL, NULL);
  return others && *others ? CKEYRING_OTHER_STORE : CKEYRING_ABSENT;
}

/// Deletes the store's items but the one at `kept`, which may be NULL.
static enum ckeyring_status remove_items(SecretService *service, SecretCollection *collection, const uint8_t *store,
                                         const gchar *kept) {
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) paths = search(collection, store, NULL, &error);
  if (!paths) return ckeyring_verdict(error);
  for (gchar **path = paths; *path; path++)
    if (g_strcmp0(*path, kept) != 0 && !secret_service_delete_item_dbus_path_sync(service, *path, NULL, &error))
      return ckeyring_verdict(error);
  return CKEYRING_OK;
}

/// Opens the service and the default collection. The caller unrefs both, whatever comes of it.
static enum ckeyring_status open_default(SecretService **service, SecretCollection **collection) {
  enum ckeyring_status status = ckeyring_open(service);
  return status == CKEYRING_OK ? ckeyring_default(*service, collection) : status;
}

enum ckeyring_status ckeyring_probe(void) {
  g_autoptr(SecretService) service = NULL;
  g_autoptr(SecretCollection) collection = NULL;
  g_autoptr(GError) error = NULL;
  enum ckeyring_status status = open_default(&service, &collection);
  if (status != CKEYRING_OK) return status;
  uint8_t written[CKEYRING_SECRET_BYTES], read[CKEYRING_SECRET_BYTES];
  if (getrandom(written, sizeof written, 0) != sizeof written) return CKEYRING_FAILED;
  g_autoptr(GHashTable) wanted = attributes(probe_schema, NULL, NULL);
  g_autofree gchar *path = create(service, collection, wanted, written, &error);
  if (!path) return ckeyring_verdict(error);
  status = read_secret(service, path, read);
  if (status == CKEYRING_OK && memcmp(written, read, sizeof read) != 0) status = CKEYRING_FAILED;
  if (!secret_service_delete_item_dbus_path_sync(service, path, NULL, &error) && status == CKEYRING_OK)
    status = ckeyring_verdict(error);
  return status;
}

/* The decryption leaves pieces of the secret below the caller's frame. */
static void __attribute__((noinline)) clear_stack(void) {
  unsigned char room[128 << 10];
  explicit_bzero(room, sizeof room);
}

/// Whether the item really holds the secret: a service may take it and keep something else.
static enum ckeyring_status __attribute__((noinline)) compare(SecretService *service, const gchar *path, const uint8_t *secret) {
  uint8_t kept[CKEYRING_SECRET_BYTES];
  enum ckeyring_status status = read_secret(service, path, kept);
  if (status == CKEYRING_ABSENT || status == CKEYRING_FOREIGN) status = CKEYRING_FAILED;
  if (status == CKEYRING_OK && memcmp(kept, secret, sizeof kept) != 0) status = CKEYRING_FAILED;
  explicit_bzero(kept, sizeof kept);
  return status;
}

enum ckeyring_status ckeyring_store(const uint8_t *store, uint64_t generation, const uint8_t *secret) {
  g_autoptr(SecretService) service = NULL;
  g_autoptr(SecretCollection) collection = NULL;
  g_autoptr(GError) error = NULL;
  enum ckeyring_status status = open_default(&service, &collection);
  if (status != CKEYRING_OK) return status;
  g_autoptr(GHashTable) wanted = attributes(schema, store, &generation);
  g_autofree gchar *path = create(service, collection, wanted, secret, &error);
  if (!path) return ckeyring_verdict(error);
  status = compare(service, path, secret);
  clear_stack();
  // The one that was stored goes too where it is of no use.
  enum ckeyring_status removed = remove_items(service, collection, store, status == CKEYRING_OK ? path : NULL);
  return status == CKEYRING_OK ? removed : status;
}

enum ckeyring_status ckeyring_load(const uint8_t *store, uint64_t generation, uint8_t *secret) {
  g_autoptr(SecretService) service = NULL;
  g_autoptr(SecretCollection) collection = NULL;
  g_autoptr(GError) error = NULL;
  enum ckeyring_status status = open_default(&service, &collection);
  if (status != CKEYRING_OK) return status;
  g_auto(GStrv) paths = search(collection, store, &generation, &error);
  if (!paths) return ckeyring_verdict(error);
  status = *paths ? read_secret(service, *paths, secret) : explain(service, collection, store, generation);
  clear_stack();
  return status;
}

enum ckeyring_status ckeyring_delete(const uint8_t *store) {
  g_autoptr(SecretService) service = NULL;
  g_autoptr(SecretCollection) collection = NULL;
  g_autoptr(GError) error = NULL;
  enum ckeyring_status status = ckeyring_open(&service);
  if (status != CKEYRING_OK) return status;
  status = ckeyring_default(service, &collection);
  if (status == CKEYRING_NO_COLLECTION) status = CKEYRING_OK;
  // The default may have been another one when the item was stored.
  if (!secret_service_load_collections_sync(service, NULL, &error)) return ckeyring_verdict(error);
  GList *collections = secret_service_get_collections(service);
  for (GList *each = collections; each; each = each->next) {
    if (secret_collection_get_locked(each->data)) continue;
    enum ckeyring_status removed = remove_items(service, each->data, store, NULL);
    if (status == CKEYRING_OK) status = removed;
  }
  g_list_free_full(collections, g_object_unref);
  return status;
}
