/*
 * mg: the Poisson equation on a square, solved by multigrid cycles. The rows of all grids are
 * dealt out in blocks.
 *
 * Plain subscripts: a row of a grid is a pointer-to-shared, also to rows of other threads.
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

typedef shared [] double *row_t;

/* Solution, right side and residual of each grid. */
shared [BLOCK] double u[LEVELS][ROWS * THREADS][WIDTH];
shared [BLOCK] double f[LEVELS][ROWS * THREADS][WIDTH], r[LEVELS][ROWS * THREADS][WIDTH];
shared [] double rims[2][WIDTH]; /* before the first row of a grid, and after the last */
shared double parts[THREADS];

/* The number of grids: as long as the numbers of rows and columns are even. */
static int levels(void)
{
    int n = 1;

    while (n < LEVELS && (ROWS >> (n - 1)) % 2 == 0 && (COLS >> (n - 1)) % 2 == 0)
        n++;
    return n;
}

/* Row i of this thread in a grid; -1 and the last + 1 are those of its neighbours. */
static row_t row(shared [BLOCK] double *grid, int level, int i)
{
    int thread = MYTHREAD, rows = ROWS >> level;

    if (i < 0) {
        thread--;
        i = rows - 1;
    } else if (i == rows) {
        thread++;
        i = 0;
    }
    if (thread < 0 || thread == THREADS)
        return (row_t)&rims[thread < 0 ? 0 : 1][0];
    return (row_t)(grid + ((long)thread * ROWS + i) * WIDTH);
}

static void fill(void)
{
    for (int i = 0; i < ROWS; i++) {
        row_t to = row(&f[0][0][0], 0, i), start = row(&u[0][0][0], 0, i);
        for (int j = 1; j <= COLS; j++) {
            to[j] = (MYTHREAD * ROWS + i) % 5 - j % 3;
            start[j] = 0;
        }
    }
    upc_barrier;
}

/* On the rim of the square, the solution is 0: outside, it has the opposite sign. */
static void set_rims(int level)
{
    int last = (ROWS >> level) - 1, columns = COLS >> level;

    for (int i = 0; i <= last; i++) {
        row_t here = row(&u[level][0][0], level, i);
        here[0] = -here[1];
        here[columns + 1] = -here[columns];
    }
    for (int j = 0; j <= columns + 1; j++) {
        if (MYTHREAD == 0)
            rims[0][j] = -row(&u[level][0][0], level, 0)[j];
        if (MYTHREAD == THREADS - 1)
            rims[1][j] = -row(&u[level][0][0], level, last)[j];
    }
    upc_barrier;
}

/* Makes the residual of a grid: f - A u. */
static void residual(int level)
{
    set_rims(level);
    for (int i = 0; i < ROWS >> level; i++) {
        row_t up = row(&u[level][0][0], level, i - 1), here = row(&u[level][0][0], level, i);
        row_t down = row(&u[level][0][0], level, i + 1), right = row(&f[level][0][0], level, i);
        row_t to = row(&r[level][0][0], level, i);
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
        row_t here = row(&u[level][0][0], level, i), rest = row(&r[level][0][0], level, i);
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
        row_t to = row(&f[level][0][0], level, i), start = row(&u[level][0][0], level, i);
        row_t one = row(&r[level - 1][0][0], level - 1, 2 * i);
        row_t two = row(&r[level - 1][0][0], level - 1, 2 * i + 1);
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
    shared [BLOCK] double *coarse = &u[level + 1][0][0];

    set_rims(level + 1);
    for (int i = 0; i < ROWS >> level; i++) {
        row_t to = row(&u[level][0][0], level, i), near = row(coarse, level + 1, i / 2);
        row_t other = row(coarse, level + 1, i % 2 == 0 ? i / 2 - 1 : i / 2 + 1);
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
