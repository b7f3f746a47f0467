/* Time and output of the benchmark programs. */
#include <stdio.h>
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
