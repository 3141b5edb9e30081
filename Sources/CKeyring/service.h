#ifndef CKEYRING_SERVICE_H
#define CKEYRING_SERVICE_H

#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>

#include "CKeyring.h"

/// Connects to the bus and the service, which is started where it can be, and opens a session for secrets. The caller
/// unrefs `*service`, which is set for CKEYRING_OK alone.
enum ckeyring_status ckeyring_open(SecretService **service);
/// The default collection, where it is unlocked. The caller unrefs it.
enum ckeyring_status ckeyring_default(SecretService *service, SecretCollection **collection);
/// What a failed call means.
enum ckeyring_status ckeyring_verdict(const GError *error);

#endif
