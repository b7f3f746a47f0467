// question: do ticks never go back, and last as long as the system's clock says?
// counts: UPC_BARRIER=THREADS
#include "../../programs/check.h"
#include <time.h>
#include <upc_tick.h>

#if __UPC_TICK__ != 1
#error "feature macro"
#endif

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(void)
{
    upc_tick_t last = upc_ticks_now(), now, begin;
    double from, to, measured;
    int i;
    CHECK(UPC_TICK_MIN == 0 && UPC_TICK_MAX > UPC_TICK_MIN && UPC_TICK_MAX + 1 == 0);
    CHECK(upc_ticks_to_ns(0) == 0);
    for (i = 0; i < 100000; i++, last = now)
        CHECK((now = upc_ticks_now()) >= last);
    from = seconds();
    begin = upc_ticks_now();
    while (seconds() < from + 0.1)
        continue;
    measured = upc_ticks_to_ns(upc_ticks_now() - begin) * 1e-9;
    to = seconds() - from;
    CHECK(measured <= to + 0.001 && measured >= 0.1 - 0.001);
    return pass();
}
