#include "runtime.h"

#include <string.h>

#include "clock.h"
#include "tools/measure/clocks.h"
#include "transport/transport.h"

struct measure_offset measure_offset;

static void read_clock(void *data)
{
    uint64_t now = upcr_clock_system_ns();
    memcpy(data, &now, sizeof now);
}

/* The fastest of a few answers: its time lies between the question and the arrival of the answer, and is assumed to be in the middle. */
static void ask(void)
{
    enum { TRIES = 24 };
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t there = 0, before = upcr_clock_system_ns();
        upcr_tp_call(0, read_clock, &there, sizeof there);
        uint64_t took = upcr_clock_system_ns() - before;
        if (took >= shortest)
            continue;
        shortest = took;
        measure_offset = (struct measure_offset){true, (int64_t)(there - (before + took / 2)), (took + 1) / 2};
    }
}

void measure_clocks_compare(void)
{
    if (*upcr_tp_machine() == '\0')
        return;
    measure_offset.known = false;
    if (upcr_mythread != 0 && upcr_tp_group_first(upcr_tp_group_of(upcr_mythread)) == upcr_mythread)
        ask();
    /* Thread 0 waits here, where it answers at once, until all have their answers. */
    upcr_internal_barrier("the comparison of the machines' clocks");
}
