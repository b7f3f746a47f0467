/* Definitions of ids: texts, event sites, user events, static shared objects. Each is written to the thread's stream of DEFINE blocks when it
   gets its id, and so before anything that uses it. */
#ifndef MEASURE_DEFINE_H
#define MEASURE_DEFINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/measure/format.h"

/* False: out of memory. */
bool measure_define_start(void);

/* Returns the id of a text, the same for equal texts; 0 for NULL, and if there are too many texts. */
uint32_t measure_text(const char *text);

/* Writes an entry, under measure_run->lock: begin, then at most the given number of values, then end. */
void measure_define_begin(enum measure_definition kind, unsigned numbers);
void measure_define_number(uint64_t number);
void measure_define_end(void);

/* Defines a static shared object from the arguments of GASP_BUPC_STATIC_SHARED. */
void measure_define_object(va_list arguments);

/* Writes the definitions that are not yet in the file; under measure_run->lock. Async-signal-safe. */
void measure_define_flush(void);

#endif
