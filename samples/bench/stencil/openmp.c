/*
 * stencil: weighted means along a line in C with OpenMP; see naive.upc.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 200000 /* elements of each thread */
#endif
#ifndef STEPS
#define STEPS 100
#endif

/* A parabola over the whole line: each step raises its inner elements by the same amount. */
static double start_of(long i) { return 0.5 * i * i - i; }
static double end_of(long i) { return start_of(i) + STEPS * 0.25; }

static long all;
static double *a, *b;

static void step(double *to, const double *from)
{
#pragma omp for schedule(static)
    for (long i = 1; i < all - 1; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

static int is_right(void)
{
    for (long i = STEPS + 1; i < all - 1 - STEPS; i++)
        if (fabs(a[i] - end_of(i)) > 1e-9 * fabs(end_of(i)) + 1e-3)
            return 0;
    return 1;
}

int main(void)
{
    all = (long)PER * omp_get_max_threads();
    a = malloc(all * sizeof *a);
    b = malloc(all * sizeof *b);
    if (!a || !b)
        return 1;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < all; i++)
        a[i] = b[i] = start_of(i);
    double start = omp_get_wtime();
#pragma omp parallel
    for (int n = 0; n < STEPS; n += 2) {
        step(b, a);
        step(a, b);
    }
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("stencil %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
