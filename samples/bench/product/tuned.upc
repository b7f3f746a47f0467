/*
 * product: C = A * B for square matrices whose rows are dealt out in blocks.
 *
 * Tuned by hand: each thread works on its own rows of A and C through pointers-to-local, and
 * copies a block of rows of B, which belongs to one thread, before it uses it.
 */
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef ROWS
#define ROWS 192 /* of each thread */
#endif
#ifndef COLS
#define COLS 384 /* columns of B and C; A has as many columns as B has rows */
#endif
#define ALL (ROWS * THREADS)
#define INNER COLS

shared [ROWS * INNER] double a[ROWS * THREADS][INNER];
shared [ROWS * COLS] double b[ROWS * THREADS][COLS], c[ROWS * THREADS][COLS];

static int depth(void) { return ALL < INNER ? ALL : INNER; }

static void fill(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            a[i][j] = (i + 2 * j) % 7 - 3;
            b[i][j] = (3 * i + j) % 5 - 2;
            c[i][j] = 0;
        }
    upc_barrier;
}

/* Adds the part of the product that the rows of one thread of B make. */
static void add_part(double (*mine)[COLS], double (*left)[INNER], double (*part)[COLS], int first)
{
    int rows = depth() - first < ROWS ? depth() - first : ROWS;

    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < rows; k++) {
            double factor = left[i][first + k];
#pragma GCC unroll 2
            for (int j = 0; j < COLS; j++)
                mine[i][j] += factor * part[k][j];
        }
}

static void multiply(void)
{
    static double part[ROWS][COLS];
    double(*mine)[COLS] = (double(*)[COLS])&c[MYTHREAD * ROWS][0];
    double(*left)[INNER] = (double(*)[INNER])&a[MYTHREAD * ROWS][0];

    for (int t = 0; t < THREADS && t * ROWS < depth(); t++) {
        upc_memget(part, &b[t * ROWS][0], sizeof part);
        add_part(mine, left, part, t * ROWS);
    }
}

/* Every 7th element of the thread's rows, computed again. */
static int is_right(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i += 7)
        for (int j = i % 7; j < COLS; j += 7) {
            double sum = 0;
            for (int k = 0; k < depth(); k++)
                sum += ((i + 2 * k) % 7 - 3) * ((3 * k + j) % 5 - 2);
            if (c[i][j] != sum)
                return 0;
        }
    return 1;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    multiply();
    upc_barrier;
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("product %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("product %.6f OK\n", seconds);
    return 0;
}
