/* What ids stand for: texts, event sites, user events, static shared objects. Each goes into the thread's stream of DEFINE blocks when it
   is given its id, so before anything that uses it. */
#ifndef MEASURE_DEFINE_H
#define MEASURE_DEFINE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/measure/format.h"

/* False: no memory. */
bool measure_define_start(void);

/* The id of a text, the same for equal texts; 0 for NULL, and when there are too many. */
uint32_t measure_text(const char *text);

/* An entry, under measure_run->lock: begin, then its numbers, at most so many, then end. */
void measure_define_begin(enum measure_definition kind, unsigned numbers);
void measure_define_number(uint64_t number);
void measure_define_end(void);

/* A static shared object, by the arguments of GASP_BUPC_STATIC_SHARED. */
void measure_define_object(va_list arguments);

/* Writes what is not yet in the file; under measure_run->lock. Async-signal-safe. */
void measure_define_flush(void);

#endif
