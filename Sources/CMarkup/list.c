#include "list.h"

#include <stdlib.h>
#include <string.h>

// A text of 1 MiB gives at most some events a byte; beyond these it is refused.
enum { MAXIMUM_EVENTS = 4 << 20, MAXIMUM_TEXT = 16 << 20 };

static int make_room(void **memory, size_t *room, size_t needed, size_t size, size_t maximum) {
  if (needed <= *room) return CMARKUP_OK;
  if (needed > maximum) return CMARKUP_TOO_LARGE;
  size_t wanted = needed < 64 ? 64 : needed + needed / 2;
  void *grown = realloc(*memory, wanted * size);
  if (!grown) return CMARKUP_NO_MEMORY;
  *memory = grown;
  *room = wanted;
  return CMARKUP_OK;
}

void add(struct builder *builder, struct cmarkup_event event, const char *text, size_t count) {
  struct cmarkup_list *list = &builder->list;
  if (list->status != CMARKUP_OK) return;
  list->status = make_room((void **)&list->events, &builder->event_room, list->count + 1, sizeof event, MAXIMUM_EVENTS);
  if (list->status == CMARKUP_OK)
    list->status = make_room((void **)&list->text, &builder->text_room, list->text_count + count, 1, MAXIMUM_TEXT);
  if (list->status != CMARKUP_OK) return;
  event.text_start = (uint32_t)list->text_count;
  event.text_count = (uint32_t)count;
  if (count) memcpy(list->text + list->text_count, text, count);
  list->text_count += count;
  list->events[list->count++] = event;
}

void add_string(struct builder *builder, struct cmarkup_event event, const char *text) {
  add(builder, event, text, text ? strlen(text) : 0);
}

struct cmarkup_list finish(struct builder *builder) {
  if (builder->list.status == CMARKUP_OK) return builder->list;
  cmarkup_free(builder->list);
  return failed(builder->list.status);
}

struct cmarkup_list failed(enum cmarkup_status status) { return (struct cmarkup_list){.status = status}; }

void cmarkup_free(struct cmarkup_list list) {
  free(list.events);
  free(list.text);
}
