/* What every program here uses: check.h, and gates. */
#ifndef RACES_H
#define RACES_H
#include "../programs/check.h"
#include <sched.h>
#include <upc_relaxed.h>

/* A gate makes a schedule certain: what comes after gate_wait happens later than what comes before gate_open. Its
   operations are relaxed atomic ones, which order nothing else. So the accesses on its two sides still race. */
static inline void gate_open(shared int *gate)
{
    bupc_atomicI_set_relaxed(gate, 1);
}

static inline void gate_wait(shared int *gate)
{
    while (!bupc_atomicI_read_relaxed(gate))
        sched_yield();
}
#endif
