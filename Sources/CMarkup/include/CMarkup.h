#ifndef CMARKUP_H
#define CMARKUP_H

// Markdown (libcmark-gfm) and HTML (libxml2) as one flat list of events. Nothing is read but the text that is given: no
// entity, file or address is ever resolved. Both calls may run on any number of threads at once.

#include <stddef.h>
#include <stdint.h>

enum cmarkup_kind {
  // Inlines.
  CMARKUP_TEXT,
  CMARKUP_CODE,
  CMARKUP_SOFT_BREAK,
  CMARKUP_LINE_BREAK,
  CMARKUP_EMPHASIS,
  CMARKUP_STRONG,
  CMARKUP_STRIKE,
  /// `text` is the address.
  CMARKUP_LINK,
  /// `text` is the address; the inlines within are the words in its place.
  CMARKUP_IMAGE,
  // Blocks.
  CMARKUP_PARAGRAPH,
  /// `number` is the level.
  CMARKUP_HEADING,
  /// `number` is the first number of an ordered list, else -1.
  CMARKUP_LIST,
  CMARKUP_ITEM,
  CMARKUP_QUOTE,
  CMARKUP_CODE_BLOCK,
  CMARKUP_RULE,
  CMARKUP_TABLE,
  /// `number` is 1 for a header.
  CMARKUP_ROW,
  /// `number` is 1 for left, 2 for centred, 3 for right, else 0.
  CMARKUP_CELL,
  /// What the subset of HTML does not have; `text` is what. What is within follows, unless it can't be a text.
  CMARKUP_REFUSED,
};

/// One thing, or where a thing that has something within ends.
struct cmarkup_event {
  uint8_t kind;
  uint8_t is_end;
  int32_t number;
  /// From 1; 0 where it is not known.
  uint32_t line;
  /// The place of its text in the list's `text`, in bytes.
  uint32_t text_start, text_count;
};

enum cmarkup_status { CMARKUP_OK, CMARKUP_TOO_LARGE, CMARKUP_NO_MEMORY };

/// Events in the order of the text. `status` other than CMARKUP_OK: there are none.
struct cmarkup_list {
  struct cmarkup_event *events;
  size_t count;
  uint8_t *text;
  size_t text_count;
  enum cmarkup_status status;
};

/// The largest text, in bytes, and the deepest nesting that is told; what is deeper is told as if it stood there.
enum { CMARKUP_MAXIMUM_BYTES = 1 << 20, CMARKUP_MAXIMUM_DEPTH = 48 };

/// Both take UTF-8. The caller frees the list.
struct cmarkup_list cmarkup_markdown(const uint8_t *bytes, size_t count);
struct cmarkup_list cmarkup_html(const uint8_t *bytes, size_t count);
void cmarkup_free(struct cmarkup_list list);

#endif
