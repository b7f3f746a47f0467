/*
 * sobel: what the forms in C have in common: the image, the edges in it, and one row of them.
 */
#ifndef COLS
#define COLS 1024
#endif
#ifndef STEPS
#define STEPS 200 /* how often the image is read */
#endif

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
