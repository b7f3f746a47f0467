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

/* Starts to count what a list with commas between its words asks for; says where something else is counted instead, and ends the job if
   there is no such counter. Returns how many there are. For the thread's first pthread. */
unsigned measure_counters_start(const char *list, struct measure_group *group);

/* The same for another one, which counts nothing where the processor cannot count for it, too; and its end. */
void measure_counters_join(struct measure_group *group);
void measure_counters_leave(struct measure_group *group);

/* The name of what the counter counts. */
const char *measure_counter_name(unsigned index);

/* What each has counted so far on this pthread, whose state this is. */
void measure_counters_read(const struct measure_state *state, uint64_t *values);

#endif
