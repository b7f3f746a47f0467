/*
 * cg: the conjugate gradient method in C with MPI; see naive.upc. Each rank gathers the whole of p.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef PER
#define PER 100000 /* rows of each thread */
#endif
#ifndef STEPS
#define STEPS 25
#endif
#define NONZEROS 7 /* of a row */

static double x[PER], b[PER], p[PER], q[PER], r[PER], *whole;
static int rank, ranks;

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

/* q = A * p */
static void times_p(void)
{
    MPI_Allgather(p, PER, MPI_DOUBLE, whole, PER, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < PER; i++) {
        double s = 0;
        for (int k = 0; k < NONZEROS; k++)
            s += value[i * NONZEROS + k] * whole[column[i * NONZEROS + k]];
        q[i] = s;
    }
}

static double product(const double *u, const double *v)
{
    double mine = 0, all;

    for (int i = 0; i < PER; i++)
        mine += u[i] * v[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double solve(void)
{
    double rest = product(r, r);

    for (int n = 0; n < STEPS; n++) {
        times_p();
        double alpha = rest / product(p, q);
        for (int i = 0; i < PER; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double before = rest;
        rest = product(r, r);
        for (int i = 0; i < PER; i++)
            p[i] = r[i] + rest / before * p[i];
    }
    return rest;
}

static int is_right(double rest)
{
    for (int i = 0; i < PER; i++)
        p[i] = x[i];
    times_p();
    for (int i = 0; i < PER; i++)
        q[i] -= b[i];
    double found = sqrt(product(q, q));
    return found < 1e-2 && fabs(found - sqrt(rest)) < 1e-6 + 1e-3 * found;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    whole = malloc((long)PER * ranks * sizeof *whole);
    if (!whole)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < PER; i++) {
        long row = (long)rank * PER + i;
        make_row(i, row, (long)PER * ranks);
        b[i] = r[i] = p[i] = 1 + row % 11;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    double rest = solve();
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right(rest), all = 0;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("cg %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Finalize();
    return !all;
}
