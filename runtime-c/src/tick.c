/* <upc_tick.h> (library section, "High-performance wall-clock timers"). */
#include "runtime.h"

#include "clock.h"

uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

uint64_t upc_ticks_now(void)
{
    return upcr_clock_ticks();
}

uint64_t upc_ticks_to_ns(uint64_t ticks)
{
    return upcr_clock_to_ns(ticks);
}
