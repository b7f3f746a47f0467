/*
 * ft: the Fourier transform of a matrix: of all rows, and then of all columns of the result.
 *
 * Plain subscripts: the matrix is transposed element by element, so that columns become rows of a
 * second matrix; most elements come from other threads.
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

shared [ROWS * COLS] complex_t a[ROWS * THREADS][COLS], b[COLS][ROWS * THREADS];
static complex_t *line, *scratch, *row_roots, *column_roots;

static void fill(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++)
            a[i][j] = value_at(i, j, ALL, COLS);
    row_roots = roots_of(COLS);
    column_roots = roots_of(ALL);
    line = malloc((ALL + COLS) * sizeof *line);
    scratch = malloc((ALL + COLS) * sizeof *scratch);
    /* As in openmp.c, the pages of the result exist before the clock starts. */
    upc_forall (int j = 0; j < COLS; j++; &b[j][0])
        for (int i = 0; i < ALL; i++)
            b[j][i] = (complex_t){0, 0};
    upc_barrier;
}

static void transform_all(void)
{
    int i, j;

    upc_forall (i = 0; i < ALL; i++; &a[i][0]) {
        for (j = 0; j < COLS; j++)
            line[j] = a[i][j];
        transform(line, scratch, row_roots, COLS);
        for (j = 0; j < COLS; j++)
            a[i][j] = line[j];
    }
    upc_barrier;
    upc_forall (j = 0; j < COLS; j++; &b[j][0])
        for (i = 0; i < ALL; i++)
            b[j][i] = a[i][j];
    upc_forall (j = 0; j < COLS; j++; &b[j][0]) {
        for (i = 0; i < ALL; i++)
            line[i] = b[j][i];
        transform(line, scratch, column_roots, ALL);
        for (i = 0; i < ALL; i++)
            b[j][i] = line[i];
    }
}

static int is_right(void)
{
    int i, j, right = 1;

    upc_forall (j = 0; j < COLS; j++; &b[j][0])
        for (i = 0; i < ALL; i++)
            right &= is_value(b[j][i], i, j, ALL, COLS);
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
