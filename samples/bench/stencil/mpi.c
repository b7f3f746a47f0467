/*
 * stencil: weighted means along a line in C with MPI; see naive.upc. Each rank has an element of
 * each neighbour beside its own.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>

#ifndef PER
#define PER 200000 /* elements of each thread */
#endif
#ifndef STEPS
#define STEPS 100
#endif

/* A parabola over the whole line: each step raises its inner elements by the same amount. */
static double start_of(long i) { return 0.5 * i * i - i; }
static double end_of(long i) { return start_of(i) + STEPS * 0.25; }

static double a[PER + 2], b[PER + 2];
static int rank, ranks;

static void step(double *to, double *from)
{
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int behind = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(&from[1], 1, MPI_DOUBLE, before, 0, &from[PER + 1], 1, MPI_DOUBLE, behind, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&from[PER], 1, MPI_DOUBLE, behind, 0, &from[0], 1, MPI_DOUBLE, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int first = rank > 0 ? 1 : 2, last = rank < ranks - 1 ? PER : PER - 1;
    for (int i = first; i <= last; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

static int is_right(void)
{
    long all = (long)PER * ranks;

    for (int k = 1; k <= PER; k++) {
        long i = (long)rank * PER + k - 1;
        if (i > STEPS && i < all - 1 - STEPS && fabs(a[k] - end_of(i)) > 1e-9 * fabs(end_of(i)) + 1e-3)
            return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 1; k <= PER; k++)
        a[k] = b[k] = start_of((long)rank * PER + k - 1);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int n = 0; n < STEPS; n += 2) {
        step(b, a);
        step(a, b);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all = 0;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("stencil %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Finalize();
    return !all;
}
