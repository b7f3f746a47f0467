/*
 * stream: copies, scales, sums and triads of long vectors, in C with MPI; see naive.upc.
 */
#include <mpi.h>
#include <stdio.h>

#ifndef PER
#define PER 400000 /* elements of each rank */
#endif
#ifndef STEPS
#define STEPS 20
#endif

static int rank;
static double a[PER], b[PER], c[PER];
static const double factor = 0.25;

static void step(void)
{
    for (long i = 0; i < PER; i++)
        c[i] = a[i];
    for (long i = 0; i < PER; i++)
        b[i] = factor * c[i];
    for (long i = 0; i < PER; i++)
        c[i] = a[i] + b[i];
    for (long i = 0; i < PER; i++)
        a[i] = b[i] + factor * c[i];
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The same for the first element of each kind, one after another. */
static int is_right(void)
{
    long first = rank * (long)PER;

    for (int kind = 0; kind < 10; kind++) {
        double x = kind + 1, y = 0, z = 0;
        for (int n = 0; n < STEPS; n++) {
            y = factor * x;
            z = x + y;
            x = y + factor * z;
        }
        for (long i = first; i < first + PER; i++)
            if (i % 10 == kind && (a[i - first] != x || b[i - first] != y || c[i - first] != z))
                return 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < PER; i++) {
        a[i] = (rank * (long)PER + i) % 10 + 1;
        b[i] = c[i] = 0;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int n = 0; n < STEPS; n++)
        step();
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all = 0;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("stream %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return !all;
}
