/*
 * cg: the conjugate gradient method for a sparse matrix, whose rows are dealt out in blocks.
 *
 * Tuned by hand: each thread works on its own elements through pointers-to-local. It reads p in
 * place where it can, as a copy costs more, and copies the whole of it otherwise.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_castable.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 100000 /* rows of each thread */
#endif
#ifndef STEPS
#define STEPS 25
#endif
#define NONZEROS 7 /* of a row */
#define ALL ((long)PER * THREADS)

shared [PER] double x[PER * THREADS], b[PER * THREADS], p[PER * THREADS], q[PER * THREADS];
shared [PER] double r[PER * THREADS];
shared double parts[THREADS];

/*
 * The matrix: 7 on the diagonal, and -1 for the neighbours 1, 37 and 1009 further on a ring. It is
 * symmetric and positive definite.
 */
static const long offsets[NONZEROS] = {0, 1, -1, 37, -37, 1009, -1009};
static long column[PER * NONZEROS];
static double value[PER * NONZEROS];

static void make_row(long at, long row, long all)
{
    for (int k = 0; k < NONZEROS; k++) {
        column[at * NONZEROS + k] = ((row + offsets[k]) % all + all) % all;
        value[at * NONZEROS + k] = k == 0 ? 7 : -1;
    }
}

static void fill(void)
{
    long first = MYTHREAD * (long)PER;

    for (long i = 0; i < PER; i++) {
        make_row(i, first + i, ALL);
        x[first + i] = 0;
        b[first + i] = r[first + i] = p[first + i] = 1 + (first + i) % 11;
    }
    upc_barrier;
}

/* The sum of what the threads bring. */
static double sum(double mine)
{
    double all = 0;

    parts[MYTHREAD] = mine;
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        all += parts[t];
    upc_barrier;
    return all;
}

/* True if this thread reads the elements of all threads without messages. */
static int is_in_reach(void)
{
    for (int t = 0; t < THREADS; t++)
        if (!upc_cast(&p[t * (long)PER]))
            return 0;
    return 1;
}

/* The elements of all threads side by side. */
static const double *copy_of_p(void)
{
    static double *whole;

    if (!whole)
        whole = malloc(ALL * sizeof *whole);
    if (!whole)
        upc_global_exit(1);
    for (int t = 0; t < THREADS; t++)
        upc_memget(whole + t * (long)PER, &p[t * (long)PER], PER * sizeof *whole);
    return whole;
}

/* q = A * p */
static void times_p(void)
{
    double *mine = (double *)&q[MYTHREAD * (long)PER];

    if (is_in_reach()) {
        for (long i = 0; i < PER; i++) {
            double s = 0;
            for (int k = 0; k < NONZEROS; k++)
                s += value[i * NONZEROS + k] * p[column[i * NONZEROS + k]];
            mine[i] = s;
        }
        return;
    }
    const double *whole = copy_of_p();
    for (long i = 0; i < PER; i++) {
        double s = 0;
        for (int k = 0; k < NONZEROS; k++)
            s += value[i * NONZEROS + k] * whole[column[i * NONZEROS + k]];
        mine[i] = s;
    }
}

static double solve(void)
{
    double *my_x = (double *)&x[MYTHREAD * (long)PER], *my_r = (double *)&r[MYTHREAD * (long)PER];
    double *my_p = (double *)&p[MYTHREAD * (long)PER], *my_q = (double *)&q[MYTHREAD * (long)PER];
    double mine = 0;

    for (int i = 0; i < PER; i++)
        mine += my_r[i] * my_r[i];
    double rest = sum(mine);
    for (int n = 0; n < STEPS; n++) {
        times_p();
        mine = 0;
        for (int i = 0; i < PER; i++)
            mine += my_p[i] * my_q[i];
        double alpha = rest / sum(mine);
        mine = 0;
        for (int i = 0; i < PER; i++) {
            my_x[i] += alpha * my_p[i];
            my_r[i] -= alpha * my_q[i];
            mine += my_r[i] * my_r[i];
        }
        double before = rest;
        rest = sum(mine);
        for (int i = 0; i < PER; i++)
            my_p[i] = my_r[i] + rest / before * my_p[i];
        upc_barrier;
    }
    return rest;
}

/* The residual of x is what the method says, and small. */
static int is_right(double rest)
{
    double mine = 0;
    long i;

    upc_forall (i = 0; i < ALL; i++; &x[i])
        p[i] = x[i];
    upc_barrier;
    times_p();
    upc_forall (i = 0; i < ALL; i++; &b[i])
        mine += (b[i] - q[i]) * (b[i] - q[i]);
    double found = sqrt(sum(mine));
    return found < 1e-2 && fabs(found - sqrt(rest)) < 1e-6 + 1e-3 * found;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    double rest = solve();
    upc_barrier;
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right(rest)) {
        printf("cg %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("cg %.6f OK\n", seconds);
    return 0;
}
