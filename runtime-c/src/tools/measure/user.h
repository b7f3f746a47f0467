/* Events that the user's program creates: pupc_create_event. */
#ifndef MEASURE_USER_H
#define MEASURE_USER_H

#include <stdint.h>

#include "tools/measure/format.h"
#include "tools/measure/event_site.h"

/* Records and defines a user event. description: a printf format for its arguments, or NULL. */
void measure_user_create(unsigned tag, const char *name, const char *description);

/* A user event: how its arguments are passed, and their kinds (enum measure_pass, enum measure_arg). */
struct measure_user {
    size_t args;
    uint8_t *pass, *codes;
};

/* Under measure_run->lock: returns the event, or NULL if no event has this tag. It is never freed. */
const struct measure_user *measure_user_event(unsigned tag);

#endif
