/*
 * heat: heat flows through a plate, step by step. Each row is an object of its own, to which a
 * table has a pointer-to-shared.
 *
 * Plain subscripts: row[i][j], also where row i - 1 or i + 1 belongs to another thread.
 */
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef ROWS
#define ROWS 200 /* of each thread */
#endif
#ifndef COLS
#define COLS 500
#endif
#ifndef STEPS
#define STEPS 100
#endif
#define ALL (ROWS * THREADS)

typedef shared [] double *row_t;

shared [ROWS] row_t row[ROWS * THREADS], next[ROWS * THREADS];
shared double heats[THREADS];

static void fill(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++) {
        row[i] = upc_alloc(COLS * sizeof(double));
        next[i] = upc_alloc(COLS * sizeof(double));
        for (int j = 0; j < COLS; j++)
            row[i][j] = next[i][j] = i == 0 || i == ALL - 1 || j == 0 || j == COLS - 1 ? 1 : 0;
    }
    upc_barrier;
}

static void step(void)
{
    int i, j;

    upc_forall (i = 1; i < ALL - 1; i++; &row[i])
        for (j = 1; j < COLS - 1; j++)
            next[i][j] = ((row[i - 1][j] + row[i + 1][j]) + (row[i][j - 1] + row[i][j + 1])) / 4;
    upc_barrier;
    upc_forall (i = 1; i < ALL - 1; i++; &row[i]) {
        row_t other = row[i];
        row[i] = next[i];
        next[i] = other;
    }
    upc_barrier;
}

/*
 * A coarse check that needs no second run: the plate is symmetric, and heat comes only from its
 * rim.
 */
static int is_right(void)
{
    double all = 0;

    heats[MYTHREAD] = 0;
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            double here = row[i][j], left = row[i][COLS - 1 - j], below = row[ALL - 1 - i][j];
            int near = i <= STEPS || ALL - 1 - i <= STEPS || j <= STEPS || COLS - 1 - j <= STEPS;
            if (here != left || here != below || here < 0 || here > 1 || (here > 0) != near)
                return 0;
            heats[MYTHREAD] += here;
        }
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        all += heats[t];
    return all > 2 * (ALL + COLS) - 4 && all < (double)ALL * COLS;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    for (int n = 0; n < STEPS; n++)
        step();
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("heat %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("heat %.6f OK\n", seconds);
    return 0;
}
