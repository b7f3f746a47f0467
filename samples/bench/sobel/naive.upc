/*
 * sobel: edges of an image: for each point the differences of its neighbours, across and down.
 *
 * Plain subscripts: the rows above and below a thread's own are read like any others.
 */
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef ROWS
#define ROWS 400 /* of each thread */
#endif
#ifndef COLS
#define COLS 1024
#endif
#ifndef STEPS
#define STEPS 200 /* how often the image is read */
#endif
#define HEIGHT (ROWS * THREADS)

shared [ROWS * COLS] int image[ROWS * THREADS][COLS], edges[ROWS * THREADS][COLS];

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

static void fill(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            image[i][j] = pixel(i, j);
            edges[i][j] = 0;
        }
    upc_barrier;
}

static void detect(void)
{
    int i, j;

    upc_forall (i = 1; i < HEIGHT - 1; i++; &image[i][0])
        for (j = 1; j < COLS - 1; j++) {
            int x = image[i - 1][j + 1] + 2 * image[i][j + 1] + image[i + 1][j + 1]
                    - image[i - 1][j - 1] - 2 * image[i][j - 1] - image[i + 1][j - 1];
            int y = image[i + 1][j - 1] + 2 * image[i + 1][j] + image[i + 1][j + 1]
                    - image[i - 1][j - 1] - 2 * image[i - 1][j] - image[i - 1][j + 1];
            edges[i][j] = (x < 0 ? -x : x) + (y < 0 ? -y : y);
        }
}

static int is_right(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        if (i > 0 && i < HEIGHT - 1)
            for (int j = 1; j < COLS - 1; j += 5)
                if (edges[i][j] != edge(i, j))
                    return 0;
    return 1;
}

int main(void)
{
    fill();
    detect();
    upc_barrier;
    upc_tick_t start = upc_ticks_now();
    for (int n = 0; n < STEPS; n++) {
        detect();
        upc_barrier;
    }
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("sobel %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("sobel %.6f OK\n", seconds);
    return 0;
}
