/* The clocks of several machines. */
#ifndef MEASURE_CLOCKS_H
#define MEASURE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* What is to be added to the system's monotonic clock here (upcr_clock_system_ns) to have that of thread 0, and by how much that may be wrong at
   most, in nanoseconds. known: false in threads that did not ask, as one of a group does. */
struct measure_offset {
    bool known;
    int64_t ns;
    uint64_t error;
};
extern struct measure_offset measure_offset UPCR_HIDDEN;

/* Asks thread 0 what time it is, where the job runs on several machines. Collective. */
void measure_clocks_compare(void);

#endif
