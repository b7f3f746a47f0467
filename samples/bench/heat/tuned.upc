/*
 * heat: heat flows through a plate, step by step. Each row is an object of its own, to which a
 * table has a pointer-to-shared.
 *
 * Tuned by hand: each thread works on its own rows through pointers-to-local, and copies the row
 * before them and the row behind them in each step.
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

/* The thread's rows, with copies of the rows around them. */
static double *mine[ROWS + 2], *other[ROWS + 2], above[COLS], below[COLS];

static void cast_rows(void)
{
    int first = MYTHREAD * ROWS;

    for (int i = 0; i < ROWS; i++) {
        mine[i + 1] = (double *)row[first + i];
        other[i + 1] = (double *)next[first + i];
    }
    mine[0] = other[0] = above;
    mine[ROWS + 1] = other[ROWS + 1] = below;
}

static void step_row(double *restrict to, const double *up, const double *here, const double *down)
{
    for (int j = 1; j < COLS - 1; j++)
        to[j] = ((up[j] + down[j]) + (here[j - 1] + here[j + 1])) / 4;
}

/* The tables stay as they are in every second step: in the others, `next` has the rows. */
static void step(int n)
{
    int first = MYTHREAD * ROWS, last = first + ROWS - 1;
    shared [ROWS] row_t *now = n % 2 == 0 ? row : next;

    if (first > 0)
        upc_memget(above, now[first - 1], sizeof above);
    if (last < ALL - 1)
        upc_memget(below, now[last + 1], sizeof below);
    for (int i = 1; i <= ROWS; i++) {
        if (first + i > 1 && first + i < ALL)
            step_row(other[i], mine[i - 1], mine[i], mine[i + 1]);
    }
    for (int i = 1; i <= ROWS; i++) {
        double *swap = mine[i];
        mine[i] = other[i];
        other[i] = swap;
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
    shared [ROWS] row_t *now = STEPS % 2 == 0 ? row : next;

    heats[MYTHREAD] = 0;
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            double here = now[i][j], left = now[i][COLS - 1 - j], under = now[ALL - 1 - i][j];
            int near = i <= STEPS || ALL - 1 - i <= STEPS || j <= STEPS || COLS - 1 - j <= STEPS;
            if (here != left || here != under || here < 0 || here > 1 || (here > 0) != near)
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
    cast_rows();
    for (int n = 0; n < STEPS; n++)
        step(n);
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
