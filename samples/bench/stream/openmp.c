/*
 * stream: copies, scales, sums and triads of long vectors, in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 400000 /* elements for each thread */
#endif
#ifndef STEPS
#define STEPS 20
#endif

static long all;
static double *a, *b, *c;
static const double factor = 0.25;

static void fill(void)
{
#pragma omp parallel for
    for (long i = 0; i < all; i++) {
        a[i] = i % 10 + 1;
        b[i] = c[i] = 0;
    }
}

static void step(void)
{
#pragma omp parallel for
    for (long i = 0; i < all; i++)
        c[i] = a[i];
#pragma omp parallel for
    for (long i = 0; i < all; i++)
        b[i] = factor * c[i];
#pragma omp parallel for
    for (long i = 0; i < all; i++)
        c[i] = a[i] + b[i];
#pragma omp parallel for
    for (long i = 0; i < all; i++)
        a[i] = b[i] + factor * c[i];
}

/* The same for the first element of each kind, one after another. */
static int is_right(void)
{
    for (int kind = 0; kind < 10; kind++) {
        double x = kind + 1, y = 0, z = 0;
        for (int n = 0; n < STEPS; n++) {
            y = factor * x;
            z = x + y;
            x = y + factor * z;
        }
        for (long i = 0; i < all; i++)
            if (i % 10 == kind && (a[i] != x || b[i] != y || c[i] != z))
                return 0;
    }
    return 1;
}

int main(void)
{
    all = (long)PER * omp_get_max_threads();
    a = malloc(all * sizeof *a);
    b = malloc(all * sizeof *b);
    c = malloc(all * sizeof *c);
    if (!a || !b || !c)
        return 1;
    fill();
    double start = omp_get_wtime();
    for (int n = 0; n < STEPS; n++)
        step();
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("stream %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
