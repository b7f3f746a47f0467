/* Events that the user's program makes: pupc_create_event. */
#ifndef MEASURE_USER_H
#define MEASURE_USER_H

#include <stdint.h>

#include "tools/measure/format.h"
#include "tools/measure/origin.h"

/* Notes and defines a user's event. description: a printf format for its arguments, or NULL. */
void measure_user_create(unsigned tag, const char *name, const char *description);

/* How the arguments of such an event are passed, and what they are; returns their number, at most MEASURE_ARGS. */
size_t measure_user_args(unsigned tag, uint8_t *pass, enum measure_arg *codes);

#endif
