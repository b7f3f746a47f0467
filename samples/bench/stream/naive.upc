/*
 * stream: copies, scales, sums and triads of long vectors, which are dealt out in blocks.
 *
 * Plain subscripts: upc_forall gives each thread the iterations of its own elements.
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

static void step(void)
{
    long i;

    upc_forall (i = 0; i < ALL; i++; &c[i])
        c[i] = a[i];
    upc_forall (i = 0; i < ALL; i++; &b[i])
        b[i] = factor * c[i];
    upc_forall (i = 0; i < ALL; i++; &c[i])
        c[i] = a[i] + b[i];
    upc_forall (i = 0; i < ALL; i++; &a[i])
        a[i] = b[i] + factor * c[i];
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
    for (int n = 0; n < STEPS; n++)
        step();
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
