/* Work that takes a known time of a processor, however many threads share it. */
#ifndef WORK_H
#define WORK_H
#include <stdio.h>
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

/* Programs about remote accesses. DISTANCE: the nanoseconds of an access, if they are simulated; then few elements cost
   much. Otherwise a program does not know what its fault costs. */
#ifdef DISTANCE
#define ELEMENTS 64
#else
#define DISTANCE 0
#define ELEMENTS 4096
#endif

/* Says whether the result is right, and the nanoseconds that the fault costs. */
static inline void planted(int is_right, double cost)
{
    if (!is_right)
        printf("FAIL\n");
    else if (DISTANCE)
        printf("PASS %.0f\n", cost);
    else
        printf("PASS\n");
}

#endif
