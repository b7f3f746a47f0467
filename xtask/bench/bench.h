/* Time and output of the benchmark programs. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

static inline void bench_print(const char *name, double nanoseconds)
{
    printf("%s %.4f\n", name, nanoseconds);
    fflush(stdout);
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of repetitions, so that a moment in which another process runs does not count. Sorts them. */
static inline double bench_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, bench_compare);
    return times[count / 2];
}
