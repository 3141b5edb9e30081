#include "paper.h"

#include <stdlib.h>
#include <string.h>

static void add(PangoAttrList *list, PangoAttribute *attribute, const struct cpaper_run *run) {
  attribute->start_index = run->start;
  attribute->end_index = run->end;
  pango_attr_list_insert(list, attribute);
}

static void add_traits(PangoAttrList *list, const struct cpaper_run *run, const struct cpaper_style *style) {
  if (run->traits & CPAPER_BOLD) add(list, pango_attr_weight_new(PANGO_WEIGHT_BOLD), run);
  if (run->traits & CPAPER_ITALIC) add(list, pango_attr_style_new(PANGO_STYLE_ITALIC), run);
  if (run->traits & CPAPER_MONOSPACE) {
    add(list, pango_attr_family_new(style->monospace_font), run);
    add(list, pango_attr_scale_new(0.92), run);
  }
}

static PangoAttrList *attributes(const struct cpaper_text *text) {
  PangoAttrList *list = pango_attr_list_new();
  struct cpaper_run whole = {.end = UINT32_MAX, .traits = text->style.traits};
  add_traits(list, &whole, &text->style);
  add(list, pango_attr_insert_hyphens_new(FALSE), &whole);
  // What is searched for in the PDF are letters.
  add(list, pango_attr_font_features_new("liga=0, clig=0"), &whole);
  for (size_t i = 0; i < text->run_count; i++) {
    const struct cpaper_run *run = &text->runs[i];
    add_traits(list, run, &text->style);
    // Whatever has a colour of its own is an item of its own, which is drawn by itself.
    add(list, pango_attr_foreground_new((guint16)i, 0, 0), run);
    if (run->image) {
      PangoRectangle box = {
        0, -pango_units_from_double(run->image_height), pango_units_from_double(run->image_width),
        pango_units_from_double(run->image_height)};
      add(list, pango_attr_shape_new(&box, &box), run);
    }
  }
  return list;
}

static PangoAlignment alignment(const struct cpaper_style *style) {
  if (!style->alignment) return PANGO_ALIGN_CENTER;
  return style->alignment < 0 ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT;
}

static void set_up(struct cpaper_text *text, const char *bytes, size_t count) {
  PangoLayout *layout = text->layout;
  const struct cpaper_style *style = &text->style;
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, style->font);
  pango_font_description_set_absolute_size(font, style->size * PANGO_SCALE);
  pango_layout_set_font_description(layout, font);
  pango_font_description_free(font);
  pango_layout_set_auto_dir(layout, FALSE);
  pango_layout_set_width(layout, pango_units_from_double(text->width));
  pango_layout_set_wrap(layout, style->breaks_anywhere ? PANGO_WRAP_CHAR : PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment(layout, alignment(style));
  if (style->line_limit > 0) {
    pango_layout_set_height(layout, -style->line_limit);
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
  }
  pango_layout_set_text(layout, bytes, (int)count);
  PangoAttrList *list = attributes(text);
  pango_layout_set_attributes(layout, list);
  pango_attr_list_unref(list);
}

struct cpaper_text *cpaper_text_new(
    struct cpaper *paper, const char *bytes, size_t count, const struct cpaper_run *runs, size_t run_count,
    const struct cpaper_style *style, double width) {
  struct cpaper_text *text = calloc(1, sizeof *text);
  if (!text) return NULL;
  text->runs = malloc(run_count * sizeof *runs + 1);
  if (!text->runs) {
    free(text);
    return NULL;
  }
  if (run_count) memcpy(text->runs, runs, run_count * sizeof *runs);
  text->run_count = run_count;
  text->style = *style;
  text->width = width;
  text->layout = pango_layout_new(paper->contexts[style->is_right_to_left != 0]);
  set_up(text, bytes, count);
  text->style.font = text->style.monospace_font = NULL;
  return text;
}

void cpaper_text_free(struct cpaper_text *text) {
  g_object_unref(text->layout);
  free(text->runs);
  free(text);
}

size_t cpaper_text_line_count(const struct cpaper_text *text) {
  return (size_t)pango_layout_get_line_count(text->layout);
}

struct cpaper_line cpaper_text_line(const struct cpaper_text *text, size_t number) {
  struct cpaper_line result = {0};
  PangoLayoutLine *line = pango_layout_get_line_readonly(text->layout, (int)number);
  if (!line) return result;
  PangoRectangle box;
  pango_layout_line_get_extents(line, NULL, &box);
  result.width = pango_units_to_double(box.width);
  double free_width = MAX(0, text->width - result.width);
  result.x = text->style.alignment < 0 ? 0 : text->style.alignment > 0 ? free_width : free_width / 2;
  double height = pango_units_to_double(box.height);
  // Fonts of other scripts are higher; the pitch of the lines stays where they fit into it.
  result.height = MAX(height, text->style.size * 1.45);
  result.baseline = (result.height - height) / 2 - pango_units_to_double(box.y);
  return result;
}

double cpaper_text_width(const struct cpaper_text *text) {
  double width = 0;
  for (size_t i = 0; i < cpaper_text_line_count(text); i++) width = MAX(width, cpaper_text_line(text, i).width);
  return width;
}

size_t cpaper_text_missing(const struct cpaper_text *text, uint32_t *code_points, size_t capacity) {
  size_t count = 0;
  if (!pango_layout_get_unknown_glyphs_count(text->layout)) return 0;
  for (GSList *lines = pango_layout_get_lines_readonly(text->layout); lines; lines = lines->next)
    for (GSList *runs = ((PangoLayoutLine *)lines->data)->runs; runs; runs = runs->next) {
      const PangoGlyphString *glyphs = ((PangoLayoutRun *)runs->data)->glyphs;
      for (int i = 0; i < glyphs->num_glyphs && count < capacity; i++)
        if (glyphs->glyphs[i].glyph & PANGO_GLYPH_UNKNOWN_FLAG)
          code_points[count++] = glyphs->glyphs[i].glyph & ~PANGO_GLYPH_UNKNOWN_FLAG;
    }
  return count;
}

/// The run of ours that a byte is in; NULL for the text itself.
static const struct cpaper_run *run_at(const struct cpaper_text *text, uint32_t byte) {
  size_t low = 0, high = text->run_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (text->runs[middle].end <= byte) low = middle + 1;
    else high = middle;
  }
  return low < text->run_count && text->runs[low].start <= byte ? &text->runs[low] : NULL;
}

enum { LINE_SEPARATOR = 0x2028 };

/// What cairo_show_text_glyphs wants: glyphs in the order of the line, and the text that each cluster of them stands for.
struct glyph_row {
  GString *text;
  cairo_glyph_t *glyphs;
  cairo_text_cluster_t *clusters;
  int glyph_count, cluster_count;
};

/// The one code point that stands for an Arabic ligature of these letters; 0 for none.
static gunichar ligature(const gunichar *letters, glong count) {
  // Lam with alef is in every other line.
  static const gunichar ranges[][2] = {{0xFEF5, 0xFEFC}, {0xFBEA, 0xFDF9}};
  gunichar parts[16], whole[16];
  gsize part_count = 0;
  for (glong i = 0; i < count && part_count + 4 <= G_N_ELEMENTS(parts); i++)
    part_count += g_unichar_fully_decompose(letters[i], FALSE, parts + part_count, 4);
  for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++)
    for (gunichar form = ranges[i][0]; form <= ranges[i][1]; form++)
      if (g_unichar_fully_decompose(form, TRUE, whole, G_N_ELEMENTS(whole)) == part_count &&
          !memcmp(whole, parts, part_count * sizeof *whole))
        return form;
  return 0;
}

/// The glyph to draw; PANGO_GLYPH_EMPTY for none. Where a line was broken a space is drawn all the same: without it, its words
/// and those of the next line would be read as one.
static PangoGlyph drawn_glyph(const PangoLayoutRun *item, const char *bytes, int number) {
  PangoGlyph glyph = item->glyphs->glyphs[number].glyph;
  if (glyph != PANGO_GLYPH_EMPTY) return glyph;
  gunichar character = g_utf8_get_char(bytes + item->item->offset + item->glyphs->log_clusters[number]);
  hb_codepoint_t space;
  if (character != ' ' && character != LINE_SEPARATOR) return PANGO_GLYPH_EMPTY;
  if (!hb_font_get_nominal_glyph(pango_font_get_hb_font(item->item->analysis.font), ' ', &space)) return PANGO_GLYPH_EMPTY;
  return space;
}

static void add_text(struct glyph_row *row, const gunichar *characters, glong count, int glyph_count) {
  gsize before = row->text->len;
  for (glong i = 0; i < count; i++)
    g_string_append_unichar(row->text, characters[i] == LINE_SEPARATOR ? ' ' : characters[i]);
  row->clusters[row->cluster_count++] =
      (cairo_text_cluster_t){.num_bytes = (int)(row->text->len - before), .num_glyphs = glyph_count};
}

/// Adds a cluster with its text. One that nothing is drawn for, such as a mark of direction, is left out.
///
/// Readers put what they find from right to left into the order of the text glyph by glyph. A glyph that stands for several letters
/// would be turned round by most of them; so each has one character, where there is one.
static void add_cluster(struct glyph_row *row, const PangoGlyphItemIter *at, const char *bytes) {
  int is_backward = at->end_glyph < at->start_glyph, glyphs = 0;
  int first = is_backward ? at->end_glyph + 1 : at->start_glyph, end = is_backward ? at->start_glyph + 1 : at->end_glyph;
  for (int i = first; i < end; i++) glyphs += drawn_glyph(at->glyph_item, bytes, i) != PANGO_GLYPH_EMPTY;
  if (!glyphs) return;
  glong count;
  gunichar *characters = g_utf8_to_ucs4_fast(bytes + at->start_index, at->end_index - at->start_index, &count);
  gunichar whole = is_backward && glyphs == 1 && count > 1 ? ligature(characters, count) : 0;
  if (whole) add_text(row, &whole, 1, 1);
  else if (is_backward && glyphs == count)
    for (glong i = 0; i < count; i++) add_text(row, &characters[i], 1, 1);
  else add_text(row, characters, count, glyphs);
  g_free(characters);
}

static void fill(struct glyph_row *row, PangoLayoutRun *item, const char *bytes, double x, double baseline) {
  for (int i = 0; i < item->glyphs->num_glyphs; i++) {
    const PangoGlyphGeometry *geometry = &item->glyphs->glyphs[i].geometry;
    PangoGlyph glyph = drawn_glyph(item, bytes, i);
    if (glyph != PANGO_GLYPH_EMPTY)
      row->glyphs[row->glyph_count++] = (cairo_glyph_t){
        .index = glyph,
        .x = x + pango_units_to_double(geometry->x_offset),
        .y = baseline + pango_units_to_double(geometry->y_offset)};
    x += pango_units_to_double(geometry->width);
  }
  if (item->item->analysis.flags & PANGO_ANALYSIS_FLAG_IS_ELLIPSIS) {
    // Not what it stands for: what is not seen is not read.
    static const gunichar ellipsis = 0x2026;
    add_text(row, &ellipsis, 1, row->glyph_count);
    return;
  }
  PangoGlyphItemIter at;
  for (gboolean more = pango_glyph_item_iter_init_start(&at, item, bytes); more;
       more = pango_glyph_item_iter_next_cluster(&at))
    add_cluster(row, &at, bytes);
}

/// Draws an item with the text that each cluster stands for: without it, what has no code point could not be copied.
static void show_item(cairo_t *cairo, const char *bytes, PangoLayoutRun *item, double x, double baseline) {
  int capacity = MAX(1, item->glyphs->num_glyphs), is_backward = item->item->analysis.level & 1;
  struct glyph_row row = {
    .text = g_string_new(NULL), .glyphs = cairo_glyph_allocate(capacity),
    .clusters = cairo_text_cluster_allocate(capacity)};
  if (row.glyphs && row.clusters) fill(&row, item, bytes, x, baseline);
  if (row.cluster_count) {
    cairo_set_scaled_font(cairo, pango_cairo_font_get_scaled_font(PANGO_CAIRO_FONT(item->item->analysis.font)));
    cairo_show_text_glyphs(
        cairo, row.text->str, (int)row.text->len, row.glyphs, row.glyph_count, row.clusters, row.cluster_count,
        is_backward ? CAIRO_TEXT_CLUSTER_FLAG_BACKWARD : 0);
  }
  cairo_glyph_free(row.glyphs);
  cairo_text_cluster_free(row.clusters);
  g_string_free(row.text, TRUE);
}

static void draw_item(
    struct cpaper *paper, const struct cpaper_text *text, PangoLayoutRun *item, const struct cpaper_run *run, double x,
    double baseline) {
  uint32_t color = run && run->color != UINT32_MAX ? run->color : text->style.color;
  uint32_t traits = text->style.traits | (run ? run->traits : 0);
  double width = pango_units_to_double(pango_glyph_string_get_width(item->glyphs)), size = text->style.size;
  if (run && run->image) {
    cpaper_draw_image(paper, run->image, x, baseline - run->image_height, run->image_width, run->image_height);
    return;
  }
  cpaper_set_color(paper->cairo, color);
  show_item(paper->cairo, pango_layout_get_text(text->layout), item, x, baseline);
  if (traits & CPAPER_UNDERLINE) cpaper_draw_box(paper, x, baseline + size * 0.12, width, size / 18, color);
  if (traits & CPAPER_STRIKE) cpaper_draw_box(paper, x, baseline - size * 0.28, width, size / 18, color);
}

void cpaper_draw_line(
    struct cpaper *paper, const struct cpaper_text *text, size_t number, uint32_t part, double x, double y) {
  PangoLayoutLine *line = pango_layout_get_line_readonly(text->layout, (int)number);
  if (!line) return;
  struct cpaper_line box = cpaper_text_line(text, number);
  x += box.x;
  for (GSList *runs = line->runs; runs; runs = runs->next) {
    PangoLayoutRun *item = runs->data;
    const struct cpaper_run *run = run_at(text, (uint32_t)item->item->offset);
    if ((run ? run->part : 0) == part) draw_item(paper, text, item, run, x, y + box.baseline);
    x += pango_units_to_double(pango_glyph_string_get_width(item->glyphs));
  }
}

size_t cpaper_text_line_parts(const struct cpaper_text *text, size_t number, uint32_t *parts, size_t capacity) {
  PangoLayoutLine *line = pango_layout_get_line_readonly(text->layout, (int)number);
  size_t count = 0;
  for (GSList *runs = line ? line->runs : NULL; runs && count < capacity; runs = runs->next) {
    const PangoLayoutRun *item = runs->data;
    const struct cpaper_run *run = run_at(text, (uint32_t)item->item->offset);
    uint32_t part = run ? run->part : 0;
    if (!count || parts[count - 1] != part) parts[count++] = part;
  }
  return count;
}
