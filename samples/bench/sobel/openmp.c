/*
 * sobel: edges of an image in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "common.h"

#ifndef ROWS
#define ROWS 400 /* of each thread */
#endif

static int height;
static int (*image)[COLS], (*edges)[COLS];

static void detect(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 1; i < height - 1; i++)
        row_of(edges[i], image[i - 1], image[i], image[i + 1]);
}

static int is_right(void)
{
    for (int i = 1; i < height - 1; i++)
        for (int j = 1; j < COLS - 1; j += 5)
            if (edges[i][j] != edge(i, j))
                return 0;
    return 1;
}

int main(void)
{
    height = ROWS * omp_get_max_threads();
    image = malloc(height * sizeof *image);
    edges = malloc(height * sizeof *edges);
    if (!image || !edges)
        return 1;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < height; i++)
        for (int j = 0; j < COLS; j++)
            image[i][j] = pixel(i, j);
    detect();
    double start = omp_get_wtime();
    for (int n = 0; n < STEPS; n++)
        detect();
    double seconds = omp_get_wtime() - start;
    int right = is_right();
    printf("sobel %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
