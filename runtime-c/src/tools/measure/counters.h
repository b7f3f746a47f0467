/* Counters of the processor and of the system, by name. */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdint.h>

enum { MEASURE_COUNTERS = 8 };

/* Starts to count what a list with commas between its words asks for; says where something else is counted instead, and ends the job if
   there is no such counter. Returns how many there are. */
unsigned measure_counters_start(const char *list);

/* The name of what the counter counts. */
const char *measure_counter_name(unsigned index);

/* What each has counted so far on this thread. */
void measure_counters_read(uint64_t *values);

#endif
