#include "list.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

// Tables and strikethrough are extensions, which are known by their type's name only.
static int extension_kind(const char *name) {
  if (!strcmp(name, "table")) return CMARKUP_TABLE;
  if (!strcmp(name, "table_row") || !strcmp(name, "table_header")) return CMARKUP_ROW;
  if (!strcmp(name, "table_cell")) return CMARKUP_CELL;
  if (!strcmp(name, "strikethrough")) return CMARKUP_STRIKE;
  return -1;
}

static int kind_of(cmark_node *node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT: return CMARKUP_TEXT;
    // Markup of HTML is a text like any other.
    case CMARK_NODE_HTML_INLINE: return CMARKUP_TEXT;
    case CMARK_NODE_HTML_BLOCK: return CMARKUP_CODE_BLOCK;
    case CMARK_NODE_CODE: return CMARKUP_CODE;
    case CMARK_NODE_SOFTBREAK: return CMARKUP_SOFT_BREAK;
    case CMARK_NODE_LINEBREAK: return CMARKUP_LINE_BREAK;
    case CMARK_NODE_EMPH: return CMARKUP_EMPHASIS;
    case CMARK_NODE_STRONG: return CMARKUP_STRONG;
    case CMARK_NODE_LINK: return CMARKUP_LINK;
    case CMARK_NODE_IMAGE: return CMARKUP_IMAGE;
    case CMARK_NODE_PARAGRAPH: return CMARKUP_PARAGRAPH;
    case CMARK_NODE_HEADING: return CMARKUP_HEADING;
    case CMARK_NODE_LIST: return CMARKUP_LIST;
    case CMARK_NODE_ITEM: return CMARKUP_ITEM;
    case CMARK_NODE_BLOCK_QUOTE: return CMARKUP_QUOTE;
    case CMARK_NODE_CODE_BLOCK: return CMARKUP_CODE_BLOCK;
    case CMARK_NODE_THEMATIC_BREAK: return CMARKUP_RULE;
    default: return extension_kind(cmark_node_get_type_string(node));
  }
}

static int alignment_of(cmark_node *cell, int column) {
  cmark_node *table = cmark_node_parent(cmark_node_parent(cell));
  uint8_t *alignments = table ? cmark_gfm_extensions_get_table_alignments(table) : NULL;
  if (!alignments || column >= cmark_gfm_extensions_get_table_columns(table)) return 0;
  switch (alignments[column]) {
    case 'l': return 1;
    case 'c': return 2;
    case 'r': return 3;
    default: return 0;
  }
}

static int number_of(cmark_node *node, int kind, int column) {
  switch (kind) {
    case CMARKUP_HEADING: return cmark_node_get_heading_level(node);
    case CMARKUP_LIST: return cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? cmark_node_get_list_start(node) : -1;
    case CMARKUP_ROW: return cmark_gfm_extensions_get_table_row_is_header(node);
    case CMARKUP_CELL: return alignment_of(node, column);
    default: return 0;
  }
}

static const char *text_of(cmark_node *node, int kind) {
  switch (kind) {
    case CMARKUP_LINK:
    case CMARKUP_IMAGE: return cmark_node_get_url(node);
    case CMARKUP_TEXT:
    case CMARKUP_CODE:
    case CMARKUP_CODE_BLOCK: return cmark_node_get_literal(node);
    default: return NULL;
  }
}

static void tell(struct builder *builder, cmark_node *root) {
  cmark_iter *iterator = cmark_iter_new(root);
  int depth = 0, column = 0;
  for (cmark_event_type event; (event = cmark_iter_next(iterator)) != CMARK_EVENT_DONE;) {
    cmark_node *node = cmark_iter_get_node(iterator);
    int kind = kind_of(node);
    int is_end = event == CMARK_EVENT_EXIT;
    // Leaves have no exit of their own.
    int is_leaf = kind <= CMARKUP_LINE_BREAK || kind == CMARKUP_CODE_BLOCK || kind == CMARKUP_RULE;
    if (!is_leaf && !is_end) depth++;
    if (kind >= 0 && (is_leaf || depth <= CMARKUP_MAXIMUM_DEPTH)) {
      struct cmarkup_event told = {.kind = (uint8_t)kind, .is_end = (uint8_t)is_end};
      told.line = (uint32_t)cmark_node_get_start_line(node);
      told.number = is_end ? 0 : number_of(node, kind, column);
      add_string(builder, told, is_end ? NULL : text_of(node, kind));
    }
    if (is_end && kind == CMARKUP_CELL) column++;
    if (kind == CMARKUP_ROW) column = 0;
    if (!is_leaf && is_end) depth--;
  }
  cmark_iter_free(iterator);
}

struct cmarkup_list cmarkup_markdown(const uint8_t *bytes, size_t count) {
  if (count > CMARKUP_MAXIMUM_BYTES) return failed(CMARKUP_TOO_LARGE);
  pthread_once(&once, cmark_gfm_core_extensions_ensure_registered);
  cmark_parser *parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_STRIKETHROUGH_DOUBLE_TILDE);
  cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
  cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("strikethrough"));
  cmark_parser_feed(parser, (const char *)bytes, count);
  cmark_node *root = cmark_parser_finish(parser);
  struct builder builder = {0};
  if (root) {
    tell(&builder, root);
    cmark_node_free(root);
  } else {
    builder.list.status = CMARKUP_NO_MEMORY;
  }
  cmark_parser_free(parser);
  return finish(&builder);
}
