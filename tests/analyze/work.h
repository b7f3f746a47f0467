/* Work that takes a known time of a processor, however many threads share it. */
#ifndef WORK_H
#define WORK_H
#include <time.h>
#include <upc.h>

/* Computes for this many microseconds. */
static inline void work(double microseconds)
{
    struct timespec start, now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - start.tv_sec) * 1e6 + (now.tv_nsec - start.tv_nsec) / 1e3 < microseconds);
}

#endif
