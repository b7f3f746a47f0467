/*
 * stream: copies, scales, sums and triads of long vectors, which are dealt out in blocks.
 *
 * Tuned by hand: each thread works on its own elements through pointers-to-local.
 */
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 400000 /* elements of each thread */
#endif
#ifndef STEPS
#define STEPS 20
#endif
#define ALL ((long)PER * THREADS)

shared [PER] double a[PER * THREADS], b[PER * THREADS], c[PER * THREADS];
static const double factor = 0.25;

static void fill(void)
{
    long i;

    upc_forall (i = 0; i < ALL; i++; &a[i]) {
        a[i] = i % 10 + 1;
        b[i] = c[i] = 0;
    }
    upc_barrier;
}

static void step(double *restrict x, double *restrict y, double *restrict z)
{
    for (long i = 0; i < PER; i++)
        z[i] = x[i];
    for (long i = 0; i < PER; i++)
        y[i] = factor * z[i];
    for (long i = 0; i < PER; i++)
        z[i] = x[i] + y[i];
    for (long i = 0; i < PER; i++)
        x[i] = y[i] + factor * z[i];
    upc_barrier;
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
        for (long i = MYTHREAD * (long)PER; i < (MYTHREAD + 1) * (long)PER; i++)
            if (i % 10 == kind && (a[i] != x || b[i] != y || c[i] != z))
                return 0;
    }
    return 1;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    long first = MYTHREAD * (long)PER;
    for (int n = 0; n < STEPS; n++)
        step((double *)&a[first], (double *)&b[first], (double *)&c[first]);
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("stream %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("stream %.6f OK\n", seconds);
    return 0;
}
