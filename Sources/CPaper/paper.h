#ifndef CPAPER_PAPER_H
#define CPAPER_PAPER_H

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

#include "CPaper.h"

struct cpaper {
  cairo_surface_t *surface;
  cairo_t *cairo;
  /// Left to right, and right to left: a layout is set again whenever its context changes.
  PangoContext *contexts[2];
  uint8_t *bytes;
  size_t count, capacity;
  /// The number of the page in the making, from 1.
  int page;
};

struct cpaper_image {
  cairo_surface_t *surface;
  /// The last page that it was drawn on; 0 for none.
  int last_page;
};

/// A run as it is needed to draw: `text` keeps them in the order of their bytes.
struct cpaper_text {
  PangoLayout *layout;
  struct cpaper_run *runs;
  size_t run_count;
  struct cpaper_style style;
  double width;
};

/// 0xRRGGBB
void cpaper_set_color(cairo_t *cairo, uint32_t color);

#endif
