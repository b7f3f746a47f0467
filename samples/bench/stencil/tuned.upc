/*
 * stencil: a line of elements, of which each becomes a weighted mean of itself and its neighbours.
 *
 * Tuned by hand: each thread works on its own elements through pointers-to-local, and reads one
 * element of each neighbour before.
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
    double *mine = (double *)&to[MYTHREAD * (long)PER];
    const double *old = (const double *)&from[MYTHREAD * (long)PER];
    long first = MYTHREAD * (long)PER;

    if (MYTHREAD > 0)
        mine[0] = 0.25 * from[first - 1] + 0.5 * old[0] + 0.25 * old[1];
    for (long i = 1; i < PER - 1; i++)
        mine[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
    if (MYTHREAD < THREADS - 1)
        mine[PER - 1] = 0.25 * old[PER - 2] + 0.5 * old[PER - 1] + 0.25 * from[first + PER];
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
