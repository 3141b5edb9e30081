#ifndef CSODIUM_SHIM_H
#define CSODIUM_SHIM_H

#include <sodium.h>

/* crypto_generichash_state is over-aligned, which Swift cannot import: the caller gives 64-byte-aligned raw storage. */
enum { CSODIUM_HASH_STATE_BYTES = sizeof(crypto_generichash_state) };

static inline int csodium_hash_init(void *state, const unsigned char *key, size_t keylen, size_t outlen) {
  return crypto_generichash_init((crypto_generichash_state *)state, key, keylen, outlen);
}

static inline int csodium_hash_update(void *state, const unsigned char *in, unsigned long long inlen) {
  return crypto_generichash_update((crypto_generichash_state *)state, in, inlen);
}

static inline int csodium_hash_final(void *state, unsigned char *out, size_t outlen) {
  return crypto_generichash_final((crypto_generichash_state *)state, out, outlen);
}

#endif
