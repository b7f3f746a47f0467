/*
 * sobel: edge detection, rows distributed in blocks.
 *
 * The Sobel operator looks at the eight neighbours of a pixel, so a thread needs one row above
 * and one row below the rows it owns.  The blocks of the layout are whole stripes of ROWS rows:
 * nearly all accesses are local, only the rows at the rims of a stripe are fetched, each with
 * one upc_memget instead of a get for every pixel.
 *
 * It also tells how much of a shared array is here: upc_localsizeof, a constant that no
 * thread's portion exceeds, and upc_affinitysize, the exact number for a given thread.
 *
 *   upcc -o sobel sobel.upc && ./sobel -n 4
 *
 * prints "sobel: OK (...)".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

#define ROWS 20  /* in the stripe of one thread */
#define WIDTH 160
#define HEIGHT (ROWS * THREADS)

typedef unsigned char pixel_t;

shared [ROWS * WIDTH] pixel_t picture[ROWS * THREADS][WIDTH];
shared [ROWS * WIDTH] pixel_t edges[ROWS * THREADS][WIDTH];
shared long bright[THREADS]; /* pixels found on an edge, for each thread */

/* A disc and a beam on a background that grows brighter to the right. */
static pixel_t scene(int y, int x)
{
    int dy = y - HEIGHT / 2, dx = x - WIDTH / 3;

    if (dx * dx + dy * dy < HEIGHT * HEIGHT / 9)
        return 220;
    if (x > WIDTH * 2 / 3 && x < WIDTH * 2 / 3 + 12)
        return 140;
    return (pixel_t)(x / 4);
}

/* The strength of the edge at mid[x], from three rows that follow each other. */
static pixel_t gradient(const pixel_t *up, const pixel_t *mid, const pixel_t *down, int x)
{
    int gx = up[x + 1] + 2 * mid[x + 1] + down[x + 1] - up[x - 1] - 2 * mid[x - 1] - down[x - 1];
    int gy = down[x - 1] + 2 * down[x] + down[x + 1] - up[x - 1] - 2 * up[x] - up[x + 1];
    int sum = abs(gx) + abs(gy);

    return (pixel_t)(sum > 255 ? 255 : sum);
}

/* A row of the picture as a private one: in place if this thread owns it, else a copy in `buffer`. */
static const pixel_t *private_row(int y, pixel_t *buffer)
{
    if (upc_threadof(&picture[y][0]) == (size_t)MYTHREAD)
        return (const pixel_t *)&picture[y][0];
    upc_memget(buffer, &picture[y][0], WIDTH * sizeof(pixel_t));
    return buffer;
}

static void detect(void)
{
    pixel_t above[WIDTH], below[WIDTH];
    int x, y;

    upc_forall (y = 1; y < HEIGHT - 1; y++; &edges[y][0]) {
        const pixel_t *up = private_row(y - 1, above);
        const pixel_t *mid = (const pixel_t *)&picture[y][0]; /* laid out as edges is: local */
        const pixel_t *down = private_row(y + 1, below);

        for (x = 1; x < WIDTH - 1; x++) {
            edges[y][x] = gradient(up, mid, down, x);
            if (edges[y][x] > 100)
                bright[MYTHREAD]++;
        }
    }
}

#pragma pupc off /* events of the check would hide those of the work */
/* On one thread: paints the scene again in private rows and gives the number of wrong pixels. */
static long compare(void)
{
    pixel_t rows[3][WIDTH];
    long wrong = 0;
    int r, x, y;

    for (y = 0; y < HEIGHT; y++) {
        for (r = 0; r < 3; r++)
            for (x = 0; x < WIDTH; x++)
                rows[r][x] = scene(y - 1 + r, x);
        for (x = 0; x < WIDTH; x++) {
            int rim = y == 0 || y == HEIGHT - 1 || x == 0 || x == WIDTH - 1;
            if (edges[y][x] != (rim ? 0 : gradient(rows[0], rows[1], rows[2], x)))
                wrong++;
        }
    }
    return wrong;
}
#pragma pupc on

int main(void)
{
    size_t block = upc_blocksizeof(edges) * upc_elemsizeof(edges); /* in bytes */
    size_t here = upc_affinitysize(sizeof(edges), block, MYTHREAD);
    int x, y, t;

    if (here > upc_localsizeof(edges)) {
        printf("sobel: FAILED (%zu bytes, more than %zu)\n", here, upc_localsizeof(edges));
        upc_global_exit(1);
    }
    memset((pixel_t *)&edges[ROWS * MYTHREAD][0], 0xff, here); /* a stripe is one piece of memory */

    upc_forall (y = 0; y < HEIGHT; y++; &picture[y][0]) {
        for (x = 0; x < WIDTH; x++) {
            picture[y][x] = scene(y, x);
            if (y == 0 || y == HEIGHT - 1 || x == 0 || x == WIDTH - 1)
                edges[y][x] = 0;
        }
    }
    upc_barrier;

    detect();
    upc_barrier;

    if (MYTHREAD == 0) {
        long wrong = compare(), sum = 0;

        for (t = 0; t < THREADS; t++)
            sum += bright[t];
        if (wrong != 0 || sum == 0) {
            printf("sobel: FAILED (%ld wrong pixels, %ld on an edge)\n", wrong, sum);
            upc_global_exit(1);
        }
        printf("sobel: OK (%d x %d, %ld pixels on an edge)\n", WIDTH, HEIGHT, sum);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_MEMGET=2*(THREADS-1), UPC_FORALL=2*THREADS, UPC_BARRIER=2*THREADS, UPC_PUT.remote=0
