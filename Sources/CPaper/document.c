#include "paper.h"

#include <stdlib.h>
#include <string.h>

/// The largest PDF.
enum { MAXIMUM_BYTES = 64 << 20 };

static void ignore(const char *domain, GLogLevelFlags level, const char *message, void *data) {
  (void)domain, (void)level, (void)message, (void)data;
}

void cpaper_prepare(void) { g_log_set_default_handler(ignore, NULL); }

static cairo_status_t collect(void *closure, const unsigned char *bytes, unsigned count) {
  struct cpaper *paper = closure;
  if (paper->count + count > MAXIMUM_BYTES) return CAIRO_STATUS_WRITE_ERROR;
  if (paper->count + count > paper->capacity) {
    size_t capacity = (paper->count + count) * 2;
    uint8_t *grown = realloc(paper->bytes, capacity);
    if (!grown) return CAIRO_STATUS_NO_MEMORY;
    paper->bytes = grown;
    paper->capacity = capacity;
  }
  memcpy(paper->bytes + paper->count, bytes, count);
  paper->count += count;
  return CAIRO_STATUS_SUCCESS;
}

static PangoContext *make_context(cairo_t *cairo, const char *language, PangoDirection direction) {
  PangoContext *context = pango_cairo_create_context(cairo);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  // A point of a font is a point of the paper, and no glyph is moved to a pixel.
  pango_cairo_context_set_resolution(context, 72);
  pango_context_set_round_glyph_positions(context, FALSE);
  pango_context_set_language(context, pango_language_from_string(language));
  pango_context_set_base_dir(context, direction);
  return context;
}

struct cpaper *cpaper_new(double width, double height, const char *language) {
  struct cpaper *paper = calloc(1, sizeof *paper);
  if (!paper) return NULL;
  paper->page = 1;
  paper->surface = cairo_pdf_surface_create_for_stream(collect, paper, width, height);
#if CAIRO_VERSION >= CAIRO_VERSION_ENCODE(1, 17, 6)
  // Its table of objects is plain text then, as older ones always write it: more is added to it. The price is that a ligature
  // is copied as one character.
  cairo_pdf_surface_restrict_to_version(paper->surface, CAIRO_PDF_VERSION_1_4);
#endif
  paper->cairo = cairo_create(paper->surface);
  paper->contexts[0] = make_context(paper->cairo, language, PANGO_DIRECTION_LTR);
  paper->contexts[1] = make_context(paper->cairo, language, PANGO_DIRECTION_RTL);
  return paper;
}

void cpaper_free(struct cpaper *paper) {
  for (int i = 0; i < 2; i++) g_object_unref(paper->contexts[i]);
  cairo_destroy(paper->cairo);
  cairo_surface_destroy(paper->surface);
  free(paper->bytes);
  free(paper);
}

void cpaper_set_fact(struct cpaper *paper, enum cpaper_fact fact, const char *text) {
  static const cairo_pdf_metadata_t facts[] = {
    CAIRO_PDF_METADATA_TITLE, CAIRO_PDF_METADATA_AUTHOR, CAIRO_PDF_METADATA_SUBJECT, CAIRO_PDF_METADATA_CREATOR,
    CAIRO_PDF_METADATA_CREATE_DATE,
  };
  cairo_pdf_surface_set_metadata(paper->surface, facts[fact], text);
}

int cpaper_finish(struct cpaper *paper, const uint8_t **bytes, size_t *count) {
  cairo_surface_finish(paper->surface);
  if (cairo_status(paper->cairo) || cairo_surface_status(paper->surface)) return -1;
  *bytes = paper->bytes;
  *count = paper->count;
  return 0;
}

const char *cpaper_fault(struct cpaper *paper) {
  cairo_status_t status = cairo_status(paper->cairo);
  return cairo_status_to_string(status ? status : cairo_surface_status(paper->surface));
}

void cpaper_end_page(struct cpaper *paper) {
  cairo_show_page(paper->cairo);
  paper->page++;
}

void cpaper_begin_tag(struct cpaper *paper, const char *name, const char *attributes) {
  cairo_tag_begin(paper->cairo, name, attributes);
}

void cpaper_end_tag(struct cpaper *paper, const char *name) { cairo_tag_end(paper->cairo, name); }

int cpaper_add_outline(struct cpaper *paper, int parent, const char *title, int page, double x, double y) {
  // Not printf: a decimal comma of some locale would be no number here.
  char place[2][G_ASCII_DTOSTR_BUF_SIZE], attributes[2 * G_ASCII_DTOSTR_BUF_SIZE + 64];
  g_ascii_formatd(place[0], sizeof place[0], "%.2f", x);
  g_ascii_formatd(place[1], sizeof place[1], "%.2f", y);
  g_snprintf(attributes, sizeof attributes, "page=%d pos=[%s %s]", page, place[0], place[1]);
  return cairo_pdf_surface_add_outline(paper->surface, parent, title, attributes, 0);
}

struct source {
  const uint8_t *bytes;
  size_t count;
};

static cairo_status_t take(void *closure, unsigned char *bytes, unsigned count) {
  struct source *source = closure;
  if (count > source->count) return CAIRO_STATUS_READ_ERROR;
  memcpy(bytes, source->bytes, count);
  source->bytes += count;
  source->count -= count;
  return CAIRO_STATUS_SUCCESS;
}

struct cpaper_image *cpaper_image_new(const uint8_t *png, size_t count) {
  struct source source = {png, count};
  struct cpaper_image *image = calloc(1, sizeof *image);
  if (!image) return NULL;
  image->surface = cairo_image_surface_create_from_png_stream(take, &source);
  if (!cairo_surface_status(image->surface)) return image;
  cpaper_image_free(image);
  return NULL;
}

void cpaper_image_size(const struct cpaper_image *image, int *width, int *height) {
  *width = cairo_image_surface_get_width(image->surface);
  *height = cairo_image_surface_get_height(image->surface);
}

void cpaper_image_free(struct cpaper_image *image) {
  cairo_surface_destroy(image->surface);
  free(image);
}

void cpaper_set_color(cairo_t *cairo, uint32_t color) {
  cairo_set_source_rgb(cairo, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0);
}

void cpaper_draw_box(struct cpaper *paper, double x, double y, double width, double height, uint32_t color) {
  cpaper_set_color(paper->cairo, color);
  cairo_rectangle(paper->cairo, x, y, width, height);
  cairo_fill(paper->cairo);
}

// Not cairo_paint: of a picture alone at the start of a page cairo would take that it covers all before it, tags too.
static void fill_with(cairo_t *cairo, cairo_surface_t *surface, double width, double height) {
  cairo_set_source_surface(cairo, surface, 0, 0);
  cairo_rectangle(cairo, 0, 0, width, height);
  cairo_fill(cairo);
}

void cpaper_draw_image(
    struct cpaper *paper, struct cpaper_image *image, double x, double y, double width, double height) {
  cairo_t *cairo = paper->cairo;
  int pixels_across = cairo_image_surface_get_width(image->surface);
  int pixels_down = cairo_image_surface_get_height(image->surface);
  if (pixels_across < 1 || pixels_down < 1) return;
  cairo_save(cairo);
  cairo_translate(cairo, x, y);
  cairo_scale(cairo, width / pixels_across, height / pixels_down);
  if (image->last_page == paper->page) {
    // A page's list of pictures would name it twice: each further one is a form of its own, which all share the picture.
    cairo_rectangle_t box = {0, 0, pixels_across, pixels_down};
    cairo_surface_t *form = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &box);
    cairo_t *inner = cairo_create(form);
    fill_with(inner, image->surface, pixels_across, pixels_down);
    cairo_destroy(inner);
    fill_with(cairo, form, pixels_across, pixels_down);
    cairo_surface_destroy(form);
  } else {
    fill_with(cairo, image->surface, pixels_across, pixels_down);
  }
  cairo_restore(cairo);
  image->last_page = paper->page;
}
