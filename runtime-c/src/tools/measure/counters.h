/* Counters of the processor and of the system, by name. */
#ifndef MEASURE_COUNTERS_H
#define MEASURE_COUNTERS_H

#include <stdint.h>

struct measure_state;

enum { MEASURE_COUNTERS = 8 };

/* The processor's counters of a pthread: descriptors, of which the first is the group's; -1: none. */
struct measure_group {
    int event[MEASURE_COUNTERS];
};

/* Starts the counters that a comma-separated list names. Warns if a substitute is counted, and ends the job if there is no such counter. Returns
   the number of counters. For the thread's first pthread. */
unsigned measure_counters_start(const char *list, struct measure_group *group);

/* The same for another pthread, which counts nothing if the processor cannot count for it as well; and the end of that. */
void measure_counters_join(struct measure_group *group);
void measure_counters_leave(struct measure_group *group);

/* Returns the name of the counted quantity. */
const char *measure_counter_name(unsigned index);

/* Reads what each has counted so far on this pthread, whose state is passed. */
void measure_counters_read(const struct measure_state *state, uint64_t *values);

#endif
