/*
 * heat: heat flows through a plate, in C with MPI; see naive.upc. Each rank has a row of its
 * neighbours before and behind its own rows.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 200 /* of each rank */
#endif
#ifndef COLS
#define COLS 500
#endif
#ifndef STEPS
#define STEPS 100
#endif

static int rank, ranks, all;
static double rows[2][ROWS + 2][COLS];

static void fill(void)
{
    for (int i = 1; i <= ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            int at = rank * ROWS + i - 1;
            int rim = at == 0 || at == all - 1 || j == 0 || j == COLS - 1;
            rows[0][i][j] = rows[1][i][j] = rim ? 1 : 0;
        }
}

static void exchange(double (*here)[COLS])
{
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int behind = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;

    MPI_Sendrecv(here[1], COLS, MPI_DOUBLE, before, 0, here[ROWS + 1], COLS, MPI_DOUBLE, behind, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(here[ROWS], COLS, MPI_DOUBLE, behind, 1, here[0], COLS, MPI_DOUBLE, before, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void step(int n)
{
    double(*here)[COLS] = rows[n % 2], (*next)[COLS] = rows[(n + 1) % 2];
    int first = rank == 0 ? 2 : 1, last = rank == ranks - 1 ? ROWS - 1 : ROWS;

    exchange(here);
    for (int i = first; i <= last; i++)
        for (int j = 1; j < COLS - 1; j++)
            next[i][j] =
                ((here[i - 1][j] + here[i + 1][j]) + (here[i][j - 1] + here[i][j + 1])) / 4;
}

/* The rows that mirror those of this rank are those of the rank at the other end. */
static int is_right(void)
{
    static double mirror[ROWS][COLS];
    double sum = 0, sums, (*here)[COLS] = rows[STEPS % 2] + 1;
    int right = 1;

    MPI_Sendrecv(here, ROWS * COLS, MPI_DOUBLE, ranks - 1 - rank, 2, mirror, ROWS * COLS, MPI_DOUBLE,
                 ranks - 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            int at = rank * ROWS + i, ahead = all - 1 - at;
            int near = at <= STEPS || ahead <= STEPS || j <= STEPS || COLS - 1 - j <= STEPS;
            if (here[i][j] != here[i][COLS - 1 - j] || here[i][j] != mirror[ROWS - 1 - i][j])
                right = 0;
            if (here[i][j] < 0 || here[i][j] > 1 || (here[i][j] > 0) != near)
                right = 0;
            sum += here[i][j];
        }
    MPI_Allreduce(&sum, &sums, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return right && sums > 2 * (all + COLS) - 4 && sums < (double)all * COLS;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    all = ROWS * ranks;
    fill();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int n = 0; n < STEPS; n++)
        step(n);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = is_right(), all_right = 0;
    MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("heat %.6f %s\n", seconds, all_right ? "OK" : "WRONG");
    MPI_Bcast(&all_right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return !all_right;
}
