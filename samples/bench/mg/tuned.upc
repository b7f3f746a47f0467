/*
 * mg: the Poisson equation on a square, solved by multigrid cycles. The rows of all grids are
 * dealt out in blocks.
 *
 * Tuned by hand: each thread works on its own rows through pointers-to-local, and copies the row
 * before them and the row after them.
 */
#include <math.h>
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef ROWS
#define ROWS 128 /* of each thread, on the finest grid */
#endif
#ifndef COLS
#define COLS 256
#endif
#ifndef STEPS
#define STEPS 6
#endif
#define LEVELS 6 /* at most; each grid has half of the rows and columns of the one before */
#define WIDTH (COLS + 2) /* with a column before and one after the grid */
#define BLOCK (ROWS * WIDTH)

/* Solution, right side and residual of each grid. */
shared [BLOCK] double u[LEVELS][ROWS * THREADS][WIDTH];
shared [BLOCK] double f[LEVELS][ROWS * THREADS][WIDTH], r[LEVELS][ROWS * THREADS][WIDTH];
shared double parts[THREADS];

/* The number of grids: as long as the numbers of rows and columns are even. */
static int levels(void)
{
    int n = 1;

    while (n < LEVELS && (ROWS >> (n - 1)) % 2 == 0 && (COLS >> (n - 1)) % 2 == 0)
        n++;
    return n;
}

/* Copies of the rows before and after those of this thread. */
static double above[WIDTH], below[WIDTH];

/* Row i of this thread in a grid. */
static double *row(shared [BLOCK] double *grid, int i)
{
    return (double *)(grid + ((long)MYTHREAD * ROWS + i) * WIDTH);
}

/* Row i of the solution; -1 and the last + 1 are the copies. */
static double *solution(int level, int i)
{
    return i < 0 ? above : i == ROWS >> level ? below : row(&u[level][0][0], i);
}

static void fill(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j <= COLS; j++) {
            row(&f[0][0][0], i)[j] = (MYTHREAD * ROWS + i) % 5 - j % 3;
            row(&u[0][0][0], i)[j] = 0;
        }
    upc_barrier;
}

/* Copies a row of another thread, or of this one with the opposite sign. */
static void copy_row(double *to, int level, int thread, int i)
{
    int other = thread < 0 || thread == THREADS ? MYTHREAD : thread, columns = COLS >> level;

    upc_memget(to, &u[level][other * ROWS + i][0], (columns + 2) * sizeof *to);
    for (int j = 1; other != thread && j <= columns; j++)
        to[j] = -to[j];
}

/* On the rim of the square, the solution is 0: outside, it has the opposite sign. */
static void set_rims(int level)
{
    int last = (ROWS >> level) - 1, columns = COLS >> level;

    copy_row(above, level, MYTHREAD - 1, MYTHREAD == 0 ? 0 : last);
    copy_row(below, level, MYTHREAD + 1, MYTHREAD == THREADS - 1 ? last : 0);
    for (int i = -1; i <= last + 1; i++) {
        double *here = solution(level, i);
        here[0] = -here[1];
        here[columns + 1] = -here[columns];
    }
}

/* Makes the residual of a grid: f - A u. */
static void residual(int level)
{
    set_rims(level);
    for (int i = 0; i < ROWS >> level; i++) {
        double *up = solution(level, i - 1), *here = solution(level, i);
        double *down = solution(level, i + 1), *right = row(&f[level][0][0], i);
        double *to = row(&r[level][0][0], i);
        for (int j = 1; j <= COLS >> level; j++)
            to[j] = right[j] - 4 * here[j] + up[j] + down[j] + here[j - 1] + here[j + 1];
    }
    upc_barrier;
}

/* One step of the damped Jacobi method. */
static void smooth(int level)
{
    residual(level);
    for (int i = 0; i < ROWS >> level; i++) {
        double *here = solution(level, i), *rest = row(&r[level][0][0], i);
        for (int j = 1; j <= COLS >> level; j++)
            here[j] += 0.2 * rest[j];
    }
    upc_barrier;
}

/* Each element of the coarser grid is the sum of four residuals. */
static void restrict_to(int level)
{
    residual(level - 1);
    for (int i = 0; i < ROWS >> level; i++) {
        double *to = row(&f[level][0][0], i), *start = row(&u[level][0][0], i);
        double *one = row(&r[level - 1][0][0], 2 * i), *two = row(&r[level - 1][0][0], 2 * i + 1);
        for (int j = 1; j <= COLS >> level; j++) {
            to[j] = one[2 * j - 1] + one[2 * j] + two[2 * j - 1] + two[2 * j];
            start[j] = 0;
        }
    }
    upc_barrier;
}

/* Corrects a grid by the one that is coarser: each element by the nearest four. */
static void correct(int level)
{
    set_rims(level + 1);
    for (int i = 0; i < ROWS >> level; i++) {
        double *to = row(&u[level][0][0], i), *near = solution(level + 1, i / 2);
        double *other = solution(level + 1, i % 2 == 0 ? i / 2 - 1 : i / 2 + 1);
        for (int j = 1; j <= COLS >> (level + 1); j++) {
            double middle = 9 * near[j] + 3 * other[j];
            to[2 * j - 1] += (middle + 3 * near[j - 1] + other[j - 1]) / 16;
            to[2 * j] += (middle + 3 * near[j + 1] + other[j + 1]) / 16;
        }
    }
    upc_barrier;
}

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

/* The norm of the residual on the finest grid. */
static double rest(void)
{
    double sum = 0;

    residual(0);
    parts[MYTHREAD] = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j <= COLS; j++)
            parts[MYTHREAD] += r[0][MYTHREAD * ROWS + i][j] * r[0][MYTHREAD * ROWS + i][j];
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        sum += parts[t];
    upc_barrier;
    return sqrt(sum);
}

int main(void)
{
    fill();
    double before = rest();
    upc_barrier;
    upc_tick_t start = upc_ticks_now();
    for (int n = 0; n < STEPS; n++)
        cycle();
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    /* Each cycle takes away 3 tenths of the residual at least. */
    if (!(rest() < before * pow(0.7, STEPS))) {
        printf("mg %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("mg %.6f OK\n", seconds);
    return 0;
}
