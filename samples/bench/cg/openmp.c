/*
 * cg: the conjugate gradient method in C with OpenMP; see naive.upc.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 100000 /* rows of each thread */
#endif
#ifndef STEPS
#define STEPS 25
#endif
#define NONZEROS 7 /* of a row */

static long all;
static double *x, *b, *p, *q, *r;

/*
 * The matrix: 7 on the diagonal, and -1 for the neighbours 1, 37 and 1009 further on a ring. It is
 * symmetric and positive definite.
 */
static const long offsets[NONZEROS] = {0, 1, -1, 37, -37, 1009, -1009};
static long *column;
static double *value;

static void make_row(long at, long row, long all)
{
    for (int k = 0; k < NONZEROS; k++) {
        column[at * NONZEROS + k] = ((row + offsets[k]) % all + all) % all;
        value[at * NONZEROS + k] = k == 0 ? 7 : -1;
    }
}

/* q = A * p */
static void times_p(void)
{
#pragma omp for schedule(static)
    for (long i = 0; i < all; i++) {
        double s = 0;
        for (int k = 0; k < NONZEROS; k++)
            s += value[i * NONZEROS + k] * p[column[i * NONZEROS + k]];
        q[i] = s;
    }
}

/* The inner product of two vectors. */
static double product(const double *u, const double *v)
{
    static double total;

#pragma omp barrier
#pragma omp single
    total = 0;
#pragma omp for schedule(static) reduction(+ : total)
    for (long i = 0; i < all; i++)
        total += u[i] * v[i];
    return total;
}

static double solve(void)
{
    double last = 0;

#pragma omp parallel
    {
        double rest = product(r, r);
        for (int n = 0; n < STEPS; n++) {
            times_p();
            double alpha = rest / product(p, q);
#pragma omp for schedule(static)
            for (long i = 0; i < all; i++) {
                x[i] += alpha * p[i];
                r[i] -= alpha * q[i];
            }
            double before = rest;
            rest = product(r, r);
#pragma omp for schedule(static)
            for (long i = 0; i < all; i++)
                p[i] = r[i] + rest / before * p[i];
        }
#pragma omp single
        last = rest;
    }
    return last;
}

static double *vector(void)
{
    double *made = malloc(all * sizeof *made);

    if (!made)
        exit(1);
    return made;
}

static int is_right(double rest)
{
    double found = 0;

    for (long i = 0; i < all; i++)
        p[i] = x[i];
    times_p();
    for (long i = 0; i < all; i++)
        found += (b[i] - q[i]) * (b[i] - q[i]);
    found = sqrt(found);
    return found < 1e-2 && fabs(found - sqrt(rest)) < 1e-6 + 1e-3 * found;
}

int main(void)
{
    all = (long)PER * omp_get_max_threads();
    x = vector(), b = vector(), p = vector(), q = vector(), r = vector();
    column = malloc(all * NONZEROS * sizeof *column);
    value = malloc(all * NONZEROS * sizeof *value);
    if (!column || !value)
        return 1;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < all; i++) {
        make_row(i, i, all);
        x[i] = 0;
        b[i] = r[i] = p[i] = 1 + i % 11;
    }
    double start = omp_get_wtime();
    double rest = solve();
    double seconds = omp_get_wtime() - start;
    int right = is_right(rest);
    printf("cg %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
