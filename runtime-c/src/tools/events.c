#include "tools/events.h"

#include <stddef.h>

#define ARG(kind, name) {UPCR_ARG_##kind, #name},
#define EVENT(index, symbol, tag, group, shape, start, end)                      \
    static const struct upcr_arg start_##index[] = {start{UPCR_ARG_NONE, NULL}}; \
    static const struct upcr_arg end_##index[] = {end{UPCR_ARG_NONE, NULL}};
#include "gasp/events.def"
#undef EVENT
#undef ARG

enum { ONCE, PAIR };

#define EVENT(index, symbol, tag, group, shape, start, end) {#symbol, tag, shape == PAIR, start_##index, end_##index},
static const struct upcr_event events[] = {
#include "gasp/events.def"
};
#undef EVENT

/* By tag: one more than the event's index. */
#define EVENT(index, symbol, tag, group, shape, start, end) [tag] = index + 1,
static const unsigned char by_tag[] = {
#include "gasp/events.def"
};
#undef EVENT

const struct upcr_event *upcr_event_of(unsigned tag)
{
    unsigned row = tag < sizeof by_tag ? by_tag[tag] : 0;
    return row == 0 ? NULL : &events[row - 1];
}
