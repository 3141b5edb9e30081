#ifndef CLIBSECRET_SHIM_H
#define CLIBSECRET_SHIM_H

/* The calls on D-Bus paths, which never load more than they are asked for, count as unstable since 2012. */
#define SECRET_API_SUBJECT_TO_CHANGE
#include <libsecret/secret.h>

#endif
