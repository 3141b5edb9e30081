#include "list.h"

#include <libxml/HTMLparser.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

// THROUGH: only what is within. UNSEEN: neither it nor what is within. DROPPED: the same, and refused.
enum treatment { TOLD, THROUGH, UNSEEN, DROPPED, REFUSED };

struct element {
  const char *name;
  enum treatment treatment;
  int kind, number;
};

// The subset. Whatever is not here is refused, and what is within it is told.
static const struct element elements[] = {
  {"p", TOLD, CMARKUP_PARAGRAPH, 0}, {"h1", TOLD, CMARKUP_HEADING, 1}, {"h2", TOLD, CMARKUP_HEADING, 2},
  {"h3", TOLD, CMARKUP_HEADING, 3}, {"h4", TOLD, CMARKUP_HEADING, 4}, {"h5", TOLD, CMARKUP_HEADING, 5},
  {"h6", TOLD, CMARKUP_HEADING, 6}, {"ul", TOLD, CMARKUP_LIST, -1}, {"ol", TOLD, CMARKUP_LIST, 1},
  {"li", TOLD, CMARKUP_ITEM, 0}, {"blockquote", TOLD, CMARKUP_QUOTE, 0}, {"pre", TOLD, CMARKUP_CODE_BLOCK, 0},
  {"hr", TOLD, CMARKUP_RULE, 0}, {"table", TOLD, CMARKUP_TABLE, 0}, {"tr", TOLD, CMARKUP_ROW, 0},
  {"td", TOLD, CMARKUP_CELL, 0}, {"th", TOLD, CMARKUP_CELL, 0}, {"em", TOLD, CMARKUP_EMPHASIS, 0},
  {"i", TOLD, CMARKUP_EMPHASIS, 0}, {"strong", TOLD, CMARKUP_STRONG, 0}, {"b", TOLD, CMARKUP_STRONG, 0},
  {"del", TOLD, CMARKUP_STRIKE, 0}, {"s", TOLD, CMARKUP_STRIKE, 0}, {"code", TOLD, CMARKUP_CODE, 0},
  {"br", TOLD, CMARKUP_LINE_BREAK, 0}, {"a", TOLD, CMARKUP_LINK, 0}, {"img", TOLD, CMARKUP_IMAGE, 0},
  {"html", THROUGH, 0, 0}, {"body", THROUGH, 0, 0}, {"div", THROUGH, 0, 0}, {"span", THROUGH, 0, 0},
  {"section", THROUGH, 0, 0}, {"article", THROUGH, 0, 0}, {"thead", THROUGH, 0, 0}, {"tbody", THROUGH, 0, 0},
  {"tfoot", THROUGH, 0, 0}, {"head", THROUGH, 0, 0}, {"title", UNSEEN, 0, 0}, {"meta", UNSEEN, 0, 0},
  {"script", DROPPED, 0, 0}, {"style", DROPPED, 0, 0}, {"template", DROPPED, 0, 0}, {"svg", DROPPED, 0, 0},
  {"math", DROPPED, 0, 0}, {"iframe", DROPPED, 0, 0}, {"object", DROPPED, 0, 0},
};

static struct element element_of(const xmlNode *node) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (!strcasecmp((const char *)node->name, elements[i].name)) return elements[i];
  return (struct element){.treatment = REFUSED};
}

static void tell_within(struct builder *builder, const xmlNode *node, int depth);

static void refuse(struct builder *builder, const xmlNode *node, const char *what) {
  struct cmarkup_event event = {.kind = CMARKUP_REFUSED, .line = (uint32_t)xmlGetLineNo((xmlNode *)node)};
  add_string(builder, event, what);
}

static int is_permitted(const xmlNode *node, const char *attribute) {
  const char *name = (const char *)node->name;
  if (!strcasecmp(attribute, "lang") || !strcasecmp(attribute, "dir") || !strcasecmp(attribute, "id")) return 1;
  if (!strcasecmp(attribute, "title") || !strcasecmp(attribute, "class")) return 1;
  if (!strcasecmp(name, "a")) return !strcasecmp(attribute, "href") || !strcasecmp(attribute, "rel");
  if (!strcasecmp(name, "img"))
    return !strcasecmp(attribute, "src") || !strcasecmp(attribute, "alt") || !strcasecmp(attribute, "width") ||
           !strcasecmp(attribute, "height");
  if (!strcasecmp(name, "ol")) return !strcasecmp(attribute, "start");
  if (!strcasecmp(name, "td") || !strcasecmp(name, "th")) return !strcasecmp(attribute, "align");
  return 0;
}

static void check_attributes(struct builder *builder, const xmlNode *node) {
  for (const xmlAttr *attribute = node->properties; attribute; attribute = attribute->next) {
    const char *name = (const char *)attribute->name;
    if (!is_permitted(node, name)) refuse(builder, node, name);
  }
}

static char *attribute_of(const xmlNode *node, const char *name) {
  return (char *)xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)name);
}

static int number_of(const xmlNode *node, struct element element) {
  const char *name = element.kind == CMARKUP_LIST ? "start" : "align";
  char *value = attribute_of(node, name);
  int number = element.number;
  if (element.kind == CMARKUP_ROW) {
    const char *parent = node->parent ? (const char *)node->parent->name : NULL;
    const xmlNode *first = node->children;
    while (first && first->type != XML_ELEMENT_NODE) first = first->next;
    number = (parent && !strcasecmp(parent, "thead")) || (first && !strcasecmp((const char *)first->name, "th"));
  } else if (element.kind == CMARKUP_LIST && number >= 0 && value) {
    long start = strtol(value, NULL, 10);
    if (start >= 0 && start <= 999999999) number = (int)start;
  } else if (element.kind == CMARKUP_CELL && value) {
    number = !strcasecmp(value, "left") ? 1 : !strcasecmp(value, "center") ? 2 : !strcasecmp(value, "right") ? 3 : 0;
  }
  xmlFree(value);
  return number;
}

static void tell_element(struct builder *builder, const xmlNode *node, struct element element, int depth) {
  struct cmarkup_event event = {.kind = (uint8_t)element.kind, .line = (uint32_t)xmlGetLineNo((xmlNode *)node)};
  event.number = number_of(node, element);
  char *text = NULL;
  if (element.kind == CMARKUP_LINK) text = attribute_of(node, "href");
  if (element.kind == CMARKUP_IMAGE) text = attribute_of(node, "src");
  if (element.kind == CMARKUP_CODE || element.kind == CMARKUP_CODE_BLOCK) text = (char *)xmlNodeGetContent((xmlNode *)node);
  add_string(builder, event, text);
  xmlFree(text);
  switch (element.kind) {
    case CMARKUP_CODE:
    case CMARKUP_CODE_BLOCK:
    case CMARKUP_LINE_BREAK:
    case CMARKUP_RULE: return;
    case CMARKUP_IMAGE: {
      char *words = attribute_of(node, "alt");
      add_string(builder, (struct cmarkup_event){.kind = CMARKUP_TEXT, .line = event.line}, words);
      xmlFree(words);
      break;
    }
    default: tell_within(builder, node, depth + 1);
  }
  event.is_end = 1;
  add(builder, event, NULL, 0);
}

// libxml2 stops parsing at 256 levels, which bounds the recursion.
static void tell_within(struct builder *builder, const xmlNode *parent, int depth) {
  for (const xmlNode *node = parent->children; node; node = node->next) {
    if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE) {
      struct cmarkup_event event = {.kind = CMARKUP_TEXT, .line = (uint32_t)xmlGetLineNo((xmlNode *)node)};
      add_string(builder, event, (const char *)node->content);
    } else if (node->type == XML_ELEMENT_NODE) {
      struct element element = element_of(node);
      // Only in the head it is nobody's text.
      if (element.treatment == UNSEEN && (!parent->name || strcasecmp((const char *)parent->name, "head")))
        element.treatment = REFUSED;
      if (element.treatment >= DROPPED) refuse(builder, node, (const char *)node->name);
      if (element.treatment == DROPPED || element.treatment == UNSEEN) continue;
      if (element.treatment != REFUSED) check_attributes(builder, node);
      if (element.treatment == TOLD && depth < CMARKUP_MAXIMUM_DEPTH) {
        tell_element(builder, node, element, depth);
      } else {
        tell_within(builder, node, depth + (element.treatment == TOLD));
      }
    } else if (node->type != XML_COMMENT_NODE && node->type != XML_DTD_NODE) {
      refuse(builder, node, "a reference or an instruction");
    }
  }
}

struct cmarkup_list cmarkup_html(const uint8_t *bytes, size_t count) {
  if (count > CMARKUP_MAXIMUM_BYTES) return failed(CMARKUP_TOO_LARGE);
  pthread_once(&once, xmlInitParser);
  if (!count) return failed(CMARKUP_OK);
  int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET | HTML_PARSE_NODEFDTD;
  htmlParserCtxtPtr parser = htmlNewParserCtxt();
  if (!parser) return failed(CMARKUP_NO_MEMORY);
  htmlDocPtr document = htmlCtxtReadMemory(parser, (const char *)bytes, (int)count, NULL, "UTF-8", options);
  // It stopped within the text: what follows would be lost without a word.
  int is_cut = parser->disableSAX;
  htmlFreeParserCtxt(parser);
  struct builder builder = {0};
  if (is_cut) {
    builder.list.status = CMARKUP_TOO_LARGE;
  } else if (document) {
    tell_within(&builder, (const xmlNode *)document, 0);
  }
  // A text of white space alone gives no document.
  if (document) xmlFreeDoc(document);
  return finish(&builder);
}
