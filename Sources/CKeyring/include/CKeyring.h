#ifndef CKEYRING_H
#define CKEYRING_H

// The desktop's keyring (Secret Service API, through libsecret) for one kind of item: the key of a store's quick unlock.
// No call ever lets the service ask the user anything. One thread.
//
// An item has the schema org.passcoded.QuickUnlock, the attributes `store` (32 hexadecimal digits) and `generation`
// (decimal), and a secret of 32 bytes, application/octet-stream.

#include <stdint.h>

enum { CKEYRING_ID_BYTES = 16, CKEYRING_SECRET_BYTES = 32 };

/// How a call ended.
enum ckeyring_status {
  CKEYRING_OK,
  /// No item of this store.
  CKEYRING_ABSENT,
  /// No item of this store, but one of another.
  CKEYRING_OTHER_STORE,
  /// The store's item is of an earlier generation.
  CKEYRING_OLDER,
  /// The store's item is of a later generation.
  CKEYRING_NEWER,
  /// The store's item holds something else than 32 bytes, or no generation.
  CKEYRING_FOREIGN,
  CKEYRING_LOCKED,
  /// The service wants to ask the user first.
  CKEYRING_WOULD_ASK,
  /// The service has no default collection.
  CKEYRING_NO_COLLECTION,
  CKEYRING_NO_BUS,
  /// Nothing on the bus serves org.freedesktop.secrets, nor can it be started.
  CKEYRING_NO_SERVICE,
  CKEYRING_FAILED,
};

/// Before any other call, and before there is a second thread: GLib says nothing, loads no module and ends the process by
/// SIGALRM after `seconds`.
void ckeyring_prepare(unsigned seconds);
/// Whether an item can really be stored, read and deleted: does it with one of random bytes and another schema.
enum ckeyring_status ckeyring_probe(void);
/// Stores the secret, over an item of the same generation, reads it back, and deletes the store's other items.
enum ckeyring_status ckeyring_store(const uint8_t *store, uint64_t generation, const uint8_t *secret);
/// Reads the secret of exactly this generation. The caller wipes `secret`; it is untouched unless the call gives CKEYRING_OK.
enum ckeyring_status ckeyring_load(const uint8_t *store, uint64_t generation, uint8_t *secret);
/// Deletes the store's items from all unlocked collections; CKEYRING_OK too where there is none.
enum ckeyring_status ckeyring_delete(const uint8_t *store);

#endif
