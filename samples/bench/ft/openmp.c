/*
 * ft: the Fourier transform of a matrix, in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

#ifndef ROWS
#define ROWS 256 /* of each thread */
#endif
#ifndef COLS
#define COLS 512
#endif
#define ALL all

static int all;
static complex_t (*a)[COLS], *b, *row_roots, *column_roots;

static void fill(void)
{
    row_roots = roots_of(COLS);
    column_roots = roots_of(all);
#pragma omp parallel for
    for (int i = 0; i < all; i++)
        for (int j = 0; j < COLS; j++) {
            a[i][j] = value_at(i, j, ALL, COLS);
            b[i * COLS + j] = (complex_t){0, 0};
        }
}

static void transform_all(void)
{
#pragma omp parallel
    {
        complex_t *scratch = malloc((all + COLS) * sizeof *scratch);
#pragma omp for
        for (int i = 0; i < all; i++)
            transform(a[i], scratch, row_roots, COLS);
#pragma omp for
        for (int j = 0; j < COLS; j++) {
            for (int i = 0; i < all; i++)
                b[(long)j * all + i] = a[i][j];
            transform(b + (long)j * all, scratch, column_roots, all);
        }
        free(scratch);
    }
}

static int is_right(void)
{
    int right = 1;

    for (int j = 0; j < COLS; j++)
        for (int i = 0; i < all; i++)
            right &= is_value(b[(long)j * all + i], i, j, ALL, COLS);
    return right;
}

int main(void)
{
    all = ROWS * omp_get_max_threads();
    a = malloc(all * sizeof *a);
    b = malloc(all * sizeof *a);
    if (!a || !b)
        return 1;
    fill();
    double start = omp_get_wtime();
    transform_all();
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("ft %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
