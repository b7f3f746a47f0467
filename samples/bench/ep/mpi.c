/*
 * ep: Gaussian random numbers, counted by rings around the origin, in C with MPI; see naive.upc.
 */
#include <mpi.h>
#include <stdio.h>

#include "common.h"

int main(int argc, char **argv)
{
    long counts[RINGS] = {0}, all[RINGS];
    double sum = 0, sums;
    int rank, ranks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    count_pairs(rank, counts, &sum);
    MPI_Allreduce(counts, all, RINGS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&sum, &sums, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right((double)PER * ranks, all, sums);
    if (rank == 0)
        printf("ep %.6f %s\n", seconds, right ? "OK" : "WRONG");
    MPI_Finalize();
    return !right;
}
