/*
 * mg: the Poisson equation on a square, solved by multigrid cycles, in C with OpenMP; see
 * naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

/* Solution, right side and residual of each grid, with a row before and one after it. */
static row_t *u[LEVELS], *f[LEVELS], *r[LEVELS];
static int all;

static void fill(void)
{
    for (int level = 0; level < LEVELS; level++) {
        u[level] = malloc((all + 2) * sizeof(row_t));
        f[level] = malloc((all + 2) * sizeof(row_t));
        r[level] = malloc((all + 2) * sizeof(row_t));
        if (!u[level] || !f[level] || !r[level])
            exit(1);
    }
#pragma omp parallel for
    for (int i = 1; i <= all; i++)
        for (int j = 1; j <= COLS; j++) {
            f[0][i][j] = (i - 1) % 5 - j % 3;
            u[0][i][j] = 0;
        }
}

/* On the rim of the square, the solution is 0: outside, it has the opposite sign. */
static void set_rims(int level)
{
    int rows = all >> level, columns = COLS >> level;

#pragma omp parallel for
    for (int i = 1; i <= rows; i++) {
        u[level][i][0] = -u[level][i][1];
        u[level][i][columns + 1] = -u[level][i][columns];
    }
    for (int j = 0; j <= columns + 1; j++) {
        u[level][0][j] = -u[level][1][j];
        u[level][rows + 1][j] = -u[level][rows][j];
    }
}

/* Makes the residual of a grid: f - A u. */
static void residual(int level)
{
    set_rims(level);
#pragma omp parallel for
    for (int i = 1; i <= all >> level; i++) {
        double *up = u[level][i - 1], *here = u[level][i], *down = u[level][i + 1];
        double *right = f[level][i], *to = r[level][i];
        residual_row(to, right, up, here, down, COLS >> level);
    }
}

/* One step of the damped Jacobi method. */
static void smooth(int level)
{
    residual(level);
#pragma omp parallel for
    for (int i = 1; i <= all >> level; i++)
        for (int j = 1; j <= COLS >> level; j++)
            u[level][i][j] += 0.2 * r[level][i][j];
}

/* Each element of the coarser grid is the sum of four residuals. */
static void restrict_to(int level)
{
    residual(level - 1);
#pragma omp parallel for
    for (int i = 1; i <= all >> level; i++) {
        double *to = f[level][i], *start = u[level][i];
        double *one = r[level - 1][2 * i - 1], *two = r[level - 1][2 * i];
        restrict_row(to, start, one, two, COLS >> level);
    }
}

/* Corrects a grid by the one that is coarser: each element by the nearest four. */
static void correct(int level)
{
    set_rims(level + 1);
#pragma omp parallel for
    for (int i = 1; i <= all >> level; i++) {
        int coarse = (i + 1) / 2;
        double *to = u[level][i], *near = u[level + 1][coarse];
        double *other = u[level + 1][i % 2 == 1 ? coarse - 1 : coarse + 1];
        correct_row(to, near, other, COLS >> (level + 1));
    }
}

/* The norm of the residual on the finest grid. */
static double rest(void)
{
    double sum = 0;

    residual(0);
    for (int i = 1; i <= all; i++)
        for (int j = 1; j <= COLS; j++)
            sum += r[0][i][j] * r[0][i][j];
    return sqrt(sum);
}

int main(void)
{
    all = ROWS * omp_get_max_threads();
    fill();
    double before = rest(), start = omp_get_wtime();
    for (int n = 0; n < STEPS; n++)
        cycle();
    double seconds = omp_get_wtime() - start;
    int right = rest() < before * pow(0.7, STEPS);
    printf("mg %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
