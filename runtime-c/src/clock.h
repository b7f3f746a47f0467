/* The cheapest clock there is: the processor's time-stamp counter where it runs evenly and never stops, else the system's. */
#ifndef UPCR_CLOCK_H
#define UPCR_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

/* Chooses the clock and notes the start of its calibration. Called once, before the threads are forked: all have the same clock. */
void upcr_clock_start(void);

extern bool upcr_clock_is_counter;

/* Nanoseconds of the system's monotonic clock. */
static inline uint64_t upcr_clock_system_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Ticks since some moment in the past. */
static inline uint64_t upcr_clock_ticks(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(upcr_clock_is_counter, 1))
        return __rdtsc();
#endif
    return upcr_clock_system_ns();
}

/* Nanoseconds that so many ticks last. The first call settles the rate, for which the clock must have run 20 ms: it sleeps for what
   is missing. */
uint64_t upcr_clock_to_ns(uint64_t ticks);

#endif
