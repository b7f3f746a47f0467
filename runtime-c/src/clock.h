/* The cheapest clock available: the processor's time-stamp counter where it runs evenly and never stops, otherwise
   the system's clock. */
#ifndef UPCR_CLOCK_H
#define UPCR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Chooses the clock and records the start of its calibration. Called once, before the threads are forked, so that
   all have the same clock. */
void upcr_clock_start(void);

extern bool upcr_clock_is_counter;

/* Returns nanoseconds of the system's monotonic clock. */
static inline uint64_t upcr_clock_system_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The same as a signed number, for differences. */
static inline int64_t upcr_clock_now_ns(void)
{
    return (int64_t)upcr_clock_system_ns();
}

/* Returns ticks since some moment in the past. */
static inline uint64_t upcr_clock_ticks(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(upcr_clock_is_counter, 1))
        return __builtin_ia32_rdtsc();
#endif
    return upcr_clock_system_ns();
}

/* Waits until the reads before it have their values, and lets nothing after it begin earlier: what lies between two
   calls does not overlap with anything else. */
static inline void upcr_clock_separate(void)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
}

/* Returns the nanoseconds that this number of ticks lasts. The first call determines the rate, for which the clock
   must have run for 20 ms: it sleeps for the rest of that time. */
uint64_t upcr_clock_to_ns(uint64_t ticks);

#endif
