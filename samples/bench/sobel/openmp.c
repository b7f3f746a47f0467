/*
 * sobel: edges of an image in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 400 /* of each thread */
#endif
#ifndef COLS
#define COLS 1024
#endif
#ifndef STEPS
#define STEPS 200 /* how often the image is read */
#endif

static int height;
static int (*image)[COLS], (*edges)[COLS];

/* A pattern of bright and dark. */
static int pixel(int i, int j) { return (i * i + 3 * i * j + 7 * j) % 256; }

/* The sum of the absolute differences in both directions, computed from the pattern. */
static int edge(int i, int j)
{
    int x = pixel(i - 1, j + 1) + 2 * pixel(i, j + 1) + pixel(i + 1, j + 1) - pixel(i - 1, j - 1)
            - 2 * pixel(i, j - 1) - pixel(i + 1, j - 1);
    int y = pixel(i + 1, j - 1) + 2 * pixel(i + 1, j) + pixel(i + 1, j + 1) - pixel(i - 1, j - 1)
            - 2 * pixel(i - 1, j) - pixel(i - 1, j + 1);

    return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

/* One row of edges from three rows of the image. */
static void row_of(int *to, const int *up, const int *mid, const int *down)
{
    for (int j = 1; j < COLS - 1; j++) {
        int x = up[j + 1] + 2 * mid[j + 1] + down[j + 1] - up[j - 1] - 2 * mid[j - 1] - down[j - 1];
        int y = down[j - 1] + 2 * down[j] + down[j + 1] - up[j - 1] - 2 * up[j] - up[j + 1];
        to[j] = (x < 0 ? -x : x) + (y < 0 ? -y : y);
    }
}

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
