/*
 * stencil: a line of elements, of which each becomes a weighted mean of itself and its neighbours.
 *
 * Plain subscripts: each thread computes its own elements, and reads the last element of the
 * thread before it and the first of the one after it like any other.
 */
#include <math.h>
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 200000 /* elements of each thread */
#endif
#ifndef STEPS
#define STEPS 100
#endif
#define ALL ((long)PER * THREADS)

shared [PER] double a[PER * THREADS], b[PER * THREADS];

/* A parabola over the whole line: each step raises its inner elements by the same amount. */
static double start_of(long i) { return 0.5 * i * i - i; }
static double end_of(long i) { return start_of(i) + STEPS * 0.25; }

static void fill(void)
{
    long i;

    upc_forall (i = 0; i < ALL; i++; &a[i])
        a[i] = b[i] = start_of(i);
    upc_barrier;
}

static void step(shared [PER] double *to, shared [PER] double *from)
{
    long first = MYTHREAD * (long)PER, last = first + PER;

    if (MYTHREAD == 0)
        first++;
    if (MYTHREAD == THREADS - 1)
        last--;
    for (long i = first; i < last; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

static void run(void)
{
    for (int n = 0; n < STEPS; n += 2) {
        step(b, a);
        upc_barrier;
        step(a, b);
        upc_barrier;
    }
}

/* What is more than STEPS elements away from the ends does not feel that they stay as they are. */
static int is_right(void)
{
    for (long i = MYTHREAD * (long)PER; i < (MYTHREAD + 1) * (long)PER; i++)
        if (i > STEPS && i < ALL - 1 - STEPS && fabs(a[i] - end_of(i)) > 1e-9 * fabs(end_of(i)) + 1e-3)
            return 0;
    return 1;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    run();
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("stencil %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("stencil %.6f OK\n", seconds);
    return 0;
}
