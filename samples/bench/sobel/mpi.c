/*
 * sobel: edges of an image in C with MPI; see naive.upc. Each rank has a row of each neighbour
 * beside its own.
 */
#include <mpi.h>
#include <stdio.h>

#include "common.h"

#ifndef ROWS
#define ROWS 400 /* of each thread */
#endif

static int image[ROWS + 2][COLS], edges[ROWS + 2][COLS];
static int rank, ranks;

static void detect(void)
{
    int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int below = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(image[1], COLS, MPI_INT, above, 0, image[ROWS + 1], COLS, MPI_INT, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(image[ROWS], COLS, MPI_INT, below, 0, image[0], COLS, MPI_INT, above, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = rank > 0 ? 1 : 2; i <= (rank < ranks - 1 ? ROWS : ROWS - 1); i++)
        row_of(edges[i], image[i - 1], image[i], image[i + 1]);
}

static int is_right(void)
{
    for (int k = rank > 0 ? 1 : 2; k <= (rank < ranks - 1 ? ROWS : ROWS - 1); k++)
        for (int j = 1; j < COLS - 1; j += 5)
            if (edges[k][j] != edge(rank * ROWS + k - 1, j))
                return 0;
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 1; k <= ROWS; k++)
        for (int j = 0; j < COLS; j++)
            image[k][j] = pixel(rank * ROWS + k - 1, j);
    detect();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int n = 0; n < STEPS; n++) {
        detect();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all = 0;
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sobel %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Finalize();
    return !all;
}
