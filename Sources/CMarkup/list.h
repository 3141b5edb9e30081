#ifndef CMARKUP_LIST_H
#define CMARKUP_LIST_H

#include "CMarkup.h"

// A list while it grows. After a failure nothing is added any more.
struct builder {
  struct cmarkup_list list;
  size_t event_room, text_room;
};

void add(struct builder *builder, struct cmarkup_event event, const char *text, size_t count);
void add_string(struct builder *builder, struct cmarkup_event event, const char *text);
struct cmarkup_list finish(struct builder *builder);
struct cmarkup_list failed(enum cmarkup_status status);

#endif
