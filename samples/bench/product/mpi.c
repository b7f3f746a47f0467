/*
 * product: C = A * B in C with MPI; see naive.upc. The rows of B go round by broadcasts.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#ifndef ROWS
#define ROWS 192 /* of each rank */
#endif
#ifndef COLS
#define COLS 384
#endif
#define INNER COLS

static double a[ROWS][INNER], b[ROWS][COLS], c[ROWS][COLS], part[ROWS][COLS];
static int rank, ranks;

static int depth(void) { return ROWS * ranks < INNER ? ROWS * ranks : INNER; }

static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            int row = rank * ROWS + i;
            a[i][j] = (row + 2 * j) % 7 - 3;
            b[i][j] = (3 * row + j) % 5 - 2;
        }
}

static void multiply(void)
{
    for (int t = 0; t < ranks && t * ROWS < depth(); t++) {
        int rows = depth() - t * ROWS < ROWS ? depth() - t * ROWS : ROWS;
        if (t == rank)
            memcpy(part, b, sizeof part);
        MPI_Bcast(part, ROWS * COLS, MPI_DOUBLE, t, MPI_COMM_WORLD);
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < rows; k++)
                for (int j = 0; j < COLS; j++)
                    c[i][j] += a[i][t * ROWS + k] * part[k][j];
    }
}

static int is_right(void)
{
    for (int i = 0; i < ROWS; i += 7)
        for (int j = i % 7; j < COLS; j += 7) {
            double sum = 0;
            int row = rank * ROWS + i;
            for (int k = 0; k < depth(); k++)
                sum += ((row + 2 * k) % 7 - 3) * ((3 * k + j) % 5 - 2);
            if (c[i][j] != sum)
                return 0;
        }
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fill();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    multiply();
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all = 0;
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("product %.6f %s\n", seconds, all ? "OK" : "WRONG");
    MPI_Bcast(&all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return !all;
}
