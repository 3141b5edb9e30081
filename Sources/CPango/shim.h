#ifndef CPANGO_SHIM_H
#define CPANGO_SHIM_H

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

#endif
