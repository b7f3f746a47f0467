/* Work that takes a known time, whatever the processor does meanwhile. */
#ifndef WORK_H
#define WORK_H
#include <upc.h>
#include <upc_tick.h>

/* Computes for this many microseconds. */
static inline void work(double microseconds)
{
    upc_tick_t start = upc_ticks_now();
    while (upc_ticks_to_ns(upc_ticks_now() - start) < microseconds * 1000)
        ;
}

#endif
