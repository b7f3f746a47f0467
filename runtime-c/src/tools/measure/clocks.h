/* The clocks of several machines. */
#ifndef MEASURE_CLOCKS_H
#define MEASURE_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* The difference between thread 0's monotonic clock and this one (upcr_clock_system_ns), and the largest error of it, both in nanoseconds. known:
   false in threads that did not ask, because one of each group does. */
struct measure_offset {
    bool known;
    int64_t ns;
    uint64_t error;
};
extern struct measure_offset measure_offset UPCR_HIDDEN;

/* Asks thread 0 for its time if the job runs on several machines. Collective. */
void measure_clocks_compare(void);

#endif
