/*
 * heat: heat flows through a plate, in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 200 /* of each thread */
#endif
#ifndef COLS
#define COLS 500
#endif
#ifndef STEPS
#define STEPS 100
#endif

static int all;
static double **row, **next;

static void fill(void)
{
#pragma omp parallel for
    for (int i = 0; i < all; i++) {
        row[i] = malloc(COLS * sizeof(double));
        next[i] = malloc(COLS * sizeof(double));
        if (!row[i] || !next[i])
            exit(1);
        for (int j = 0; j < COLS; j++)
            row[i][j] = next[i][j] = i == 0 || i == all - 1 || j == 0 || j == COLS - 1 ? 1 : 0;
    }
}

static void step(void)
{
#pragma omp parallel for
    for (int i = 1; i < all - 1; i++)
        for (int j = 1; j < COLS - 1; j++)
            next[i][j] = ((row[i - 1][j] + row[i + 1][j]) + (row[i][j - 1] + row[i][j + 1])) / 4;
    double **other = row;
    row = next;
    next = other;
}

static int is_right(void)
{
    double sum = 0;

    for (int i = 0; i < all; i++)
        for (int j = 0; j < COLS; j++) {
            double here = row[i][j];
            int near = i <= STEPS || all - 1 - i <= STEPS || j <= STEPS || COLS - 1 - j <= STEPS;
            if (here != row[i][COLS - 1 - j] || here != row[all - 1 - i][j])
                return 0;
            if (here < 0 || here > 1 || (here > 0) != near)
                return 0;
            sum += here;
        }
    return sum > 2 * (all + COLS) - 4 && sum < (double)all * COLS;
}

int main(void)
{
    all = ROWS * omp_get_max_threads();
    row = malloc(all * sizeof *row);
    next = malloc(all * sizeof *next);
    if (!row || !next)
        return 1;
    fill();
    double start = omp_get_wtime();
    for (int n = 0; n < STEPS; n++)
        step();
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("heat %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
