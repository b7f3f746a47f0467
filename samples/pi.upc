/*
 * pi: independent work, then one reduction.
 *
 * Points are thrown at the unit square; the part that lands inside the quarter circle tends to
 * pi/4.  Each thread has its own random numbers (a private variable: every thread has its own
 * copy) and leaves its count in its own element of a shared array. One barrier later thread 0
 * adds them up.
 *
 *   upcc -o pi pi.upc -lm && ./pi -n 4
 *
 * prints "pi: OK (3.14..., ... points)".
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <upc_relaxed.h>

#define POINTS 2000000L

shared long hits[THREADS]; /* one counter with affinity to each thread */

static uint64_t state; /* private: each thread walks its own random sequence */

/* splitmix64 */
static uint64_t next_random(void)
{
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Uniform in [0, 1): the upper 53 bits. */
static double uniform(void)
{
    return (double)(next_random() >> 11) * 0x1p-53;
}

static long throw_points(long n)
{
    long i, inside = 0;

    for (i = 0; i < n; i++) {
        double x = uniform(), y = uniform();
        if (x * x + y * y < 1.0)
            inside++;
    }
    return inside;
}

int main(void)
{
    /* The first POINTS % THREADS threads take one more: any number of threads throws POINTS. */
    long mine = POINTS / THREADS + (MYTHREAD < POINTS % THREADS);

    state = UINT64_C(0x2545F4914F6CDD1D) * (uint64_t)(MYTHREAD + 1);
    hits[MYTHREAD] = throw_points(mine);

    upc_barrier;

    if (MYTHREAD == 0) {
        const double exact = 3.14159265358979323846;
        /* Eight standard deviations: sqrt(pi (4 - pi) / POINTS) is one. */
        double tolerance = 8.0 * sqrt(exact * (4.0 - exact) / POINTS);
        double pi;
        long inside = 0;
        int t;

        for (t = 0; t < THREADS; t++)
            inside += hits[t];
        pi = 4.0 * (double)inside / POINTS;
        if (fabs(pi - exact) > tolerance) {
            printf("pi: FAILED (%.6f is more than %.6f off)\n", pi, tolerance);
            upc_global_exit(1);
        }
        printf("pi: OK (%.6f, %ld points)\n", pi, POINTS);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_BARRIER=THREADS, UPC_PUT=THREADS, UPC_PUT.remote=0, UPC_GET=THREADS, UPC_GET.remote=THREADS-1
