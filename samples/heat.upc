/*
 * heat: Jacobi iteration on a grid; ghost rows, swapped pointers, a split-phase barrier.
 *
 * A plate has a hot top and cold other sides.  In each step every inner point becomes the mean
 * of its four neighbours, read from one grid and written to another; then the two swap roles,
 * by swapping two pointers-to-shared that every thread has for itself.
 *
 * A thread owns ROWS rows and works on them through pointers-to-local.  The row above and the
 * row below its own, the ghost rows, belong to its neighbours and are read through
 * pointers-to-shared.
 *
 * The barrier between two steps is split: a thread first computes the rows its neighbours wait
 * for, says so (upc_notify), computes the inner rows while the others come along, and only then
 * waits (upc_wait).
 *
 *   upcc -o heat heat.upc -lm && ./heat -n 4
 *
 * prints "heat: OK (...)".
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define ROWS 12 /* of each thread */
#define COLS 96
#define HEIGHT (ROWS * THREADS)
#define STEPS 200

typedef shared [ROWS * COLS] double row_t[COLS]; /* one row of a grid, at any place in its block */

shared [ROWS * COLS] double grid0[ROWS * THREADS][COLS];
shared [ROWS * COLS] double grid1[ROWS * THREADS][COLS];

static double initial(int y) { return y == 0 ? 100.0 : 0.0; }

/*
 * One row of one step: `to` from the rows `up`, `mid` and `down`.  As mid and to are local, they
 * come as pointers-to-local; up and down may be local or remote.  A whole row has one affinity,
 * hence `shared []`.
 */
void sweep(double *to, shared [] const double *up, const double *mid, shared [] const double *down)
{
    int x;

    for (x = 1; x < COLS - 1; x++)
        to[x] = 0.25 * (up[x] + down[x] + mid[x - 1] + mid[x + 1]);
}

static void relax(row_t *from, row_t *to, int y)
{
    if (y == 0 || y == HEIGHT - 1)
        return; /* the rim keeps its temperature */
    sweep((double *)&to[y][0], (shared [] const double *)&from[y - 1][0],
          (const double *)&from[y][0], (shared [] const double *)&from[y + 1][0]);
}

/* All steps on this thread; gives the grid that holds the result. */
static row_t *run(row_t *from, row_t *to)
{
    int first = ROWS * MYTHREAD, last = first + ROWS - 1;
    int step, y;

    for (step = 0; step < STEPS; step++) {
        row_t *other = from;

        relax(from, to, first);
        if (last != first)
            relax(from, to, last);
        upc_notify step; /* what the neighbours will read is written */
        for (y = first + 1; y < last; y++)
            relax(from, to, y);
        upc_wait step; /* what we shall read is written, and nobody reads `from` any more */
        from = to;
        to = other;
    }
    return from;
}

/* The same on one thread, without anything shared; gives a malloc'ed array of HEIGHT * COLS. */
static double *run_serial(void)
{
    size_t points = (size_t)HEIGHT * COLS;
    double *from = malloc(points * sizeof *from), *to = malloc(points * sizeof *to), *other;
    int step, y, x;

    if (from == NULL || to == NULL) {
        printf("heat: FAILED (out of memory)\n");
        upc_global_exit(1);
    }
    for (y = 0; y < HEIGHT; y++)
        for (x = 0; x < COLS; x++)
            from[y * COLS + x] = to[y * COLS + x] = initial(y);
    for (step = 0; step < STEPS; step++) {
        for (y = 1; y < HEIGHT - 1; y++)
            for (x = 1; x < COLS - 1; x++) {
                const double *p = &from[y * COLS + x];
                to[y * COLS + x] = 0.25 * (p[-COLS] + p[COLS] + p[-1] + p[1]);
            }
        other = from;
        from = to;
        to = other;
    }
    free(to);
    return from;
}

int main(void)
{
    row_t *result;
    int x, y;

    upc_forall (y = 0; y < HEIGHT; y++; &grid0[y][0])
        for (x = 0; x < COLS; x++)
            grid0[y][x] = grid1[y][x] = initial(y);
    upc_barrier;

    result = run(grid0, grid1);
    upc_barrier; /* the inner rows of the last step, written after its notify, are there too */

    if (MYTHREAD == 0) {
        double *expected = run_serial();
        double worst = 0.0, heat = 0.0;

#pragma pupc off /* events of the check would hide those of the work */
        for (y = 0; y < HEIGHT; y++)
            for (x = 0; x < COLS; x++) {
                worst = fmax(worst, fabs(result[y][x] - expected[y * COLS + x]));
                heat += result[y][x];
            }
#pragma pupc on
        free(expected);
        if (!(worst < 1e-9)) {
            printf("heat: FAILED (off by %g)\n", worst);
            upc_global_exit(1);
        }
        printf("heat: OK (%d x %d, %d steps, mean temperature %.4f)\n", COLS, HEIGHT, STEPS,
               heat / HEIGHT / COLS);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_NOTIFY=200*THREADS, UPC_WAIT=200*THREADS, UPC_BARRIER=2*THREADS, UPC_FORALL=THREADS, UPC_GET.remote=37600*(THREADS-1), C_MALLOC=2, C_FREE=2
