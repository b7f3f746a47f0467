/* Events that the user's program makes: pupc_create_event. */
#ifndef MEASURE_USER_H
#define MEASURE_USER_H

#include <stdint.h>

#include "tools/measure/format.h"
#include "tools/measure/event_site.h"

/* Notes and defines a user's event. description: a printf format for its arguments, or NULL. */
void measure_user_create(unsigned tag, const char *name, const char *description);

/* Such an event: how its arguments are passed, and what they are (enum measure_pass, enum measure_arg). */
struct measure_user {
    size_t args;
    uint8_t *pass, *codes;
};

/* Under measure_run->lock: it, or NULL where none has this tag. It stays for ever. */
const struct measure_user *measure_user_event(unsigned tag);

#endif
