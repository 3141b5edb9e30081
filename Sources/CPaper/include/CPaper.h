#ifndef CPAPER_H
#define CPAPER_H

// A PDF with tags, and text set in lines for it (cairo, Pango). Lengths are in points of 1/72 inch, y downwards from the top
// left corner of a page. Texts are UTF-8 without NUL. One thread; no call reads a file but the fonts.

#include <stddef.h>
#include <stdint.h>

/// A PDF in the making.
struct cpaper;
/// A text that is set in lines.
struct cpaper_text;
/// A decoded picture.
struct cpaper_image;

enum cpaper_fact { CPAPER_TITLE, CPAPER_AUTHOR, CPAPER_SUBJECT, CPAPER_CREATOR, CPAPER_CREATED };

enum { CPAPER_BOLD = 1, CPAPER_ITALIC = 2, CPAPER_STRIKE = 4, CPAPER_UNDERLINE = 8, CPAPER_MONOSPACE = 16 };

/// How a whole text is set.
struct cpaper_style {
  /// Families, best first, with commas between them.
  const char *font, *monospace_font;
  double size;
  /// 0xRRGGBB
  uint32_t color;
  uint32_t traits;
  /// -1 left, 0 middle, 1 right.
  int32_t alignment;
  /// 0: any number of lines; else what is more ends in an ellipsis.
  int32_t line_limit;
  int32_t is_right_to_left;
  /// Lines broken anywhere, not only between words.
  int32_t breaks_anywhere;
};

/// A stretch of bytes that is set otherwise.
struct cpaper_run {
  uint32_t start, end;
  uint32_t traits;
  /// 0xRRGGBB, or UINT32_MAX for the style's.
  uint32_t color;
  /// Which part of the text it belongs to: 0 for the text itself.
  uint32_t part;
  /// The picture that stands here; NULL for none.
  struct cpaper_image *image;
  double image_width, image_height;
};

/// One line: its box within the text's width, and the height of its baseline in it.
struct cpaper_line {
  double x, width, height, baseline;
};

/// Before any other call: GLib's messages go nowhere.
void cpaper_prepare(void);

/// NULL: no memory. `language` is a tag of RFC 5646.
struct cpaper *cpaper_new(double width, double height, const char *language);
void cpaper_free(struct cpaper *paper);
void cpaper_set_fact(struct cpaper *paper, enum cpaper_fact fact, const char *text);
/// Ends the PDF. 0, or -1 with nothing made; the bytes are the paper's.
int cpaper_finish(struct cpaper *paper, const uint8_t **bytes, size_t *count);
/// What went wrong last, in words.
const char *cpaper_fault(struct cpaper *paper);

/// The caller frees it before the paper, and its images after that. Runs don't overlap. NULL: no memory.
struct cpaper_text *cpaper_text_new(
    struct cpaper *paper, const char *text, size_t count, const struct cpaper_run *runs, size_t run_count,
    const struct cpaper_style *style, double width);
void cpaper_text_free(struct cpaper_text *text);
size_t cpaper_text_line_count(const struct cpaper_text *text);
struct cpaper_line cpaper_text_line(const struct cpaper_text *text, size_t line);
/// The parts that a line has something of, in the order of the line, each once a stretch: writes up to `capacity`.
size_t cpaper_text_line_parts(const struct cpaper_text *text, size_t line, uint32_t *parts, size_t capacity);
/// The width of its longest line.
double cpaper_text_width(const struct cpaper_text *text);
/// Code points that no font has: writes up to `capacity`, gives how many were written.
size_t cpaper_text_missing(const struct cpaper_text *text, uint32_t *code_points, size_t capacity);

/// NULL: no PNG, or no memory. The caller has bounded its width and height.
struct cpaper_image *cpaper_image_new(const uint8_t *png, size_t count);
void cpaper_image_size(const struct cpaper_image *image, int *width, int *height);
void cpaper_image_free(struct cpaper_image *image);

/// Draws what of a line belongs to a part; x and y are the line's box.
void cpaper_draw_line(struct cpaper *paper, const struct cpaper_text *text, size_t line, uint32_t part, double x, double y);
void cpaper_draw_box(struct cpaper *paper, double x, double y, double width, double height, uint32_t color);
void cpaper_draw_image(struct cpaper *paper, struct cpaper_image *image, double x, double y, double width, double height);
void cpaper_end_page(struct cpaper *paper);
/// `attributes` as cairo's tags have them; NULL for none.
void cpaper_begin_tag(struct cpaper *paper, const char *name, const char *attributes);
void cpaper_end_tag(struct cpaper *paper, const char *name);
/// An entry of the table of contents; parent 0 is the top. Gives the entry.
int cpaper_add_outline(struct cpaper *paper, int parent, const char *title, int page, double x, double y);

#endif
