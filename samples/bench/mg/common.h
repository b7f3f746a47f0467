/*
 * mg: what the forms in C have in common: the sizes of the grids, the steps in one row of a grid,
 * and the cycle.
 */
#include <math.h>

#ifndef ROWS
#define ROWS 128 /* of each rank or thread, on the finest grid */
#endif
#ifndef COLS
#define COLS 256
#endif
#ifndef STEPS
#define STEPS 6
#endif
#define LEVELS 6 /* at most; each grid has half of the rows and columns of the one before */
#define WIDTH (COLS + 2) /* with a column before and one after the grid */

typedef double row_t[WIDTH];

/* The number of grids: as long as the numbers of rows and columns are even. */
static int levels(void)
{
    int n = 1;

    while (n < LEVELS && (ROWS >> (n - 1)) % 2 == 0 && (COLS >> (n - 1)) % 2 == 0)
        n++;
    return n;
}

/* A row of the residual of a grid: f - A u. */
static void residual_row(double *to, const double *right, const double *up, const double *here,
                         const double *down, int columns)
{
    for (int j = 1; j <= columns; j++)
        to[j] = right[j] - 4 * here[j] + up[j] + down[j] + here[j - 1] + here[j + 1];
}

/* A row of the coarser grid: each element is the sum of four residuals. */
static void restrict_row(double *to, double *start, const double *one, const double *two,
                         int columns)
{
    for (int j = 1; j <= columns; j++) {
        to[j] = one[2 * j - 1] + one[2 * j] + two[2 * j - 1] + two[2 * j];
        start[j] = 0;
    }
}

/* Corrects a row by the two rows of the coarser grid beside it: each element by the nearest four. */
static void correct_row(double *to, const double *near, const double *other, int coarse_columns)
{
    for (int j = 1; j <= coarse_columns; j++) {
        double middle = 9 * near[j] + 3 * other[j];
        to[2 * j - 1] += (middle + 3 * near[j - 1] + other[j - 1]) / 16;
        to[2 * j] += (middle + 3 * near[j + 1] + other[j + 1]) / 16;
    }
}

/* The steps for a whole grid, which each form has in its own way. */
static void smooth(int level);
static void restrict_to(int level);
static void correct(int level);

static void cycle(void)
{
    for (int level = 0; level < levels() - 1; level++) {
        smooth(level);
        smooth(level);
        restrict_to(level + 1);
    }
    for (int n = 0; n < 20; n++)
        smooth(levels() - 1);
    for (int level = levels() - 2; level >= 0; level--) {
        correct(level);
        smooth(level);
        smooth(level);
    }
}
