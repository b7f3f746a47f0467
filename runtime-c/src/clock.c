#include "runtime.h"

#include "clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool upcr_clock_is_counter;

static const uint64_t calibration_ns = 20 * 1000 * 1000;

/* Two readings of both clocks, as close together as possible. */
struct reading {
    uint64_t ticks, ns;
};
static struct reading start;
static double ns_per_tick;

static bool has_even_counter(void)
{
#if defined(__x86_64__)
    enum { POWER_MANAGEMENT = 0x80000007, INVARIANT_COUNTER = 1 << 8 };
    unsigned a, b, c, d;
    return __get_cpuid(POWER_MANAGEMENT, &a, &b, &c, &d) && (d & INVARIANT_COUNTER) != 0;
#else
    return false;
#endif
}

/* Returns the best of a few readings: an interruption between the two clocks would spoil a single one. */
static struct reading read_both(void)
{
    enum { TRIES = 5 };
    struct reading best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = upcr_clock_ticks(), ns = upcr_clock_system_ns(), after = upcr_clock_ticks();
        if (after - before < shortest) {
            shortest = after - before;
            best = (struct reading){before + shortest / 2, ns};
        }
    }
    return best;
}

void upcr_clock_start(void)
{
    upcr_clock_is_counter = has_even_counter();
    ns_per_tick = upcr_clock_is_counter ? 0 : 1;
    start = read_both();
}

static void calibrate(void)
{
    uint64_t passed;
    while ((passed = upcr_clock_system_ns() - start.ns) < calibration_ns) {
        struct timespec rest = {0, (long)(calibration_ns - passed)};
        nanosleep(&rest, NULL);
    }
    struct reading now = read_both();
    ns_per_tick = (double)(now.ns - start.ns) / (double)(now.ticks - start.ticks);
}

uint64_t upcr_clock_to_ns(uint64_t ticks)
{
    if (!upcr_clock_is_counter)
        return ticks;
    if (ns_per_tick == 0)
        calibrate();
    return (uint64_t)((double)ticks * ns_per_tick);
}
