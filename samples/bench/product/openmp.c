/*
 * product: C = A * B in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 192 /* of each thread */
#endif
#ifndef COLS
#define COLS 384
#endif
#define INNER COLS

static int all;
static double (*a)[INNER], (*b)[COLS], (*c)[COLS];

static int depth(void) { return all < INNER ? all : INNER; }

static void fill(void)
{
#pragma omp parallel for
    for (int i = 0; i < all; i++)
        for (int j = 0; j < COLS; j++) {
            a[i][j] = (i + 2 * j) % 7 - 3;
            b[i][j] = (3 * i + j) % 5 - 2;
            c[i][j] = 0;
        }
}

static void multiply(void)
{
    int inner = depth();

#pragma omp parallel for
    for (int i = 0; i < all; i++)
        for (int k = 0; k < inner; k++)
            for (int j = 0; j < COLS; j++)
                c[i][j] += a[i][k] * b[k][j];
}

static int is_right(void)
{
    for (int i = 0; i < all; i += 7)
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
    all = ROWS * omp_get_max_threads();
    a = malloc(all * sizeof *a);
    b = malloc(all * sizeof *b);
    c = malloc(all * sizeof *c);
    if (!a || !b || !c)
        return 1;
    fill();
    double start = omp_get_wtime();
    multiply();
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("product %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
