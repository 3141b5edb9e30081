#ifndef CCMARK_SHIM_H
#define CCMARK_SHIM_H

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>

#endif
