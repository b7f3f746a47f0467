/*
 * mg: the Poisson equation on a square, solved by multigrid cycles, in C with MPI; see naive.upc.
 */
#include <mpi.h>
#include <stdio.h>

#include "common.h"

/*
 * Solution, right side and residual of each grid, with a row before and one after those of the
 * rank.
 */
static row_t u[LEVELS][ROWS + 2], f[LEVELS][ROWS + 2], r[LEVELS][ROWS + 2];
static int rank, ranks;

static void fill(void)
{
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= COLS; j++)
            f[0][i][j] = (rank * ROWS + i - 1) % 5 - j % 3;
}

/* On the rim of the square, the solution is 0: outside, it has the opposite sign. */
static void set_rims(int level)
{
    int rows = ROWS >> level, columns = COLS >> level;
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int behind = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    row_t *here = u[level];

    for (int j = 1; j <= columns; j++) {
        here[0][j] = -here[1][j];
        here[rows + 1][j] = -here[rows][j];
    }
    MPI_Sendrecv(here[1], columns + 2, MPI_DOUBLE, before, 0, here[rows + 1], columns + 2, MPI_DOUBLE,
                 behind, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(here[rows], columns + 2, MPI_DOUBLE, behind, 1, here[0], columns + 2, MPI_DOUBLE,
                 before, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i <= rows + 1; i++) {
        here[i][0] = -here[i][1];
        here[i][columns + 1] = -here[i][columns];
    }
}

/* Makes the residual of a grid: f - A u. */
static void residual(int level)
{
    set_rims(level);
    for (int i = 1; i <= ROWS >> level; i++) {
        double *up = u[level][i - 1], *here = u[level][i], *down = u[level][i + 1];
        double *right = f[level][i], *to = r[level][i];
        residual_row(to, right, up, here, down, COLS >> level);
    }
}

/* One step of the damped Jacobi method. */
static void smooth(int level)
{
    residual(level);
    for (int i = 1; i <= ROWS >> level; i++)
        for (int j = 1; j <= COLS >> level; j++)
            u[level][i][j] += 0.2 * r[level][i][j];
}

/* Each element of the coarser grid is the sum of four residuals. */
static void restrict_to(int level)
{
    residual(level - 1);
    for (int i = 1; i <= ROWS >> level; i++) {
        double *to = f[level][i], *start = u[level][i];
        double *one = r[level - 1][2 * i - 1], *two = r[level - 1][2 * i];
        restrict_row(to, start, one, two, COLS >> level);
    }
}

/* Corrects a grid by the one that is coarser: each element by the nearest four. */
static void correct(int level)
{
    set_rims(level + 1);
    for (int i = 1; i <= ROWS >> level; i++) {
        int coarse = (i + 1) / 2;
        double *to = u[level][i], *near = u[level + 1][coarse];
        double *other = u[level + 1][i % 2 == 1 ? coarse - 1 : coarse + 1];
        correct_row(to, near, other, COLS >> (level + 1));
    }
}

/* The norm of the residual on the finest grid. */
static double rest(void)
{
    double sum = 0, all;

    residual(0);
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= COLS; j++)
            sum += r[0][i][j] * r[0][i][j];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sqrt(all);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    fill();
    double before = rest();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int n = 0; n < STEPS; n++)
        cycle();
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;
    int right = rest() < before * pow(0.7, STEPS);
    if (rank == 0)
        printf("mg %.6f %s\n", seconds, right ? "OK" : "WRONG");
    MPI_Finalize();
    return !right;
}
