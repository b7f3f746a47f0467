/* <upc_tick.h> (library section, "High-performance wall-clock timers"). */
#include "runtime.h"

#include "clock.h"

#pragma GCC visibility push(default)
uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);
#pragma GCC visibility pop

uint64_t upc_ticks_now(void)
{
    return upcr_clock_ticks();
}

uint64_t upc_ticks_to_ns(uint64_t ticks)
{
    return upcr_clock_to_ns(ticks);
}
