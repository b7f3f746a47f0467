/*
 * ft: the Fourier transform of a matrix: of all rows, and then of all columns of the result.
 *
 * Tuned by hand: each thread transforms its rows in place. Each column has a thread that transforms
 * it. A thread packs its parts of the columns, and gets the parts of its own columns from each other
 * thread by one transfer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#include "common.h"

#ifndef ROWS
#define ROWS 256 /* of each thread */
#endif
#ifndef COLS
#define COLS 512
#endif
#define ALL (ROWS * THREADS)

shared [ROWS * COLS] complex_t a[ROWS * THREADS][COLS], packed[COLS][ROWS * THREADS];
static complex_t *columns, *part, *scratch, *row_roots, *column_roots;

/* The first column of a thread. */
static int first_of(int thread) { return (int)((long)COLS * thread / THREADS); }

static void fill(void)
{
    int count = first_of(MYTHREAD + 1) - first_of(MYTHREAD);

    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++)
            a[i][j] = value_at(i, j, ALL, COLS);
    row_roots = roots_of(COLS);
    column_roots = roots_of(ALL);
    columns = malloc(count * ALL * sizeof *columns);
    part = malloc(count * ROWS * sizeof *part);
    scratch = malloc((ALL + COLS) * sizeof *scratch);
    /* As in openmp.c, the pages of a result exist before the clock starts. */
    memset(columns, 0, count * ALL * sizeof *columns);
    memset(part, 0, count * ROWS * sizeof *part);
    memset((complex_t *)(&packed[0][0] + (long)MYTHREAD * ROWS * COLS), 0,
           sizeof(complex_t) * ROWS * COLS);
    upc_barrier;
}

/* Writes the columns one after the other, so that those of a thread are together. */
static void pack(void)
{
    complex_t(*mine)[COLS] = (complex_t(*)[COLS])&a[MYTHREAD * ROWS][0];
    shared [ROWS * COLS] complex_t *start = &packed[0][0] + (long)MYTHREAD * ROWS * COLS;
    complex_t *to = (complex_t *)start;

    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < ROWS; i++)
            to[j * ROWS + i] = mine[i][j];
}

static void get_columns(void)
{
    int first = first_of(MYTHREAD), count = first_of(MYTHREAD + 1) - first;

    for (int n = 0; n < THREADS; n++) {
        int t = (MYTHREAD + n) % THREADS;
        shared [ROWS * COLS] complex_t *from = &packed[0][0] + (long)t * ROWS * COLS;
        upc_memget(part, from + first * ROWS, count * ROWS * sizeof *part);
        for (int j = 0; j < count; j++)
            memcpy(columns + j * ALL + t * ROWS, part + j * ROWS, ROWS * sizeof *part);
    }
}

static void transform_all(void)
{
    complex_t(*mine)[COLS] = (complex_t(*)[COLS])&a[MYTHREAD * ROWS][0];
    int count = first_of(MYTHREAD + 1) - first_of(MYTHREAD);

    for (int i = 0; i < ROWS; i++)
        transform(mine[i], scratch, row_roots, COLS);
    pack();
    upc_barrier;
    get_columns();
    for (int j = 0; j < count; j++)
        transform(columns + j * ALL, scratch, column_roots, ALL);
}

static int is_right(void)
{
    int first = first_of(MYTHREAD), count = first_of(MYTHREAD + 1) - first, right = 1;

    for (int j = 0; j < count; j++)
        for (int i = 0; i < ALL; i++)
            right &= is_value(columns[j * ALL + i], i, first + j, ALL, COLS);
    return right;
}

int main(void)
{
    fill();
    upc_tick_t start = upc_ticks_now();
    transform_all();
    upc_barrier;
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("ft %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ft %.6f OK\n", seconds);
    return 0;
}
