/*
 * product: C = A * B for square matrices whose rows are dealt out in blocks.
 *
 * Plain subscripts: each thread computes its own rows of C. The innermost loop goes along a row
 * of B, which belongs to another thread for most k, and along a row of C.
 */
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef ROWS
#define ROWS 192 /* of each thread */
#endif
#ifndef COLS
#define COLS 384 /* columns of B and C; A has as many columns as B has rows */
#endif
#define ALL (ROWS * THREADS)
#define INNER COLS

shared [ROWS * INNER] double a[ROWS * THREADS][INNER];
shared [ROWS * COLS] double b[ROWS * THREADS][COLS], c[ROWS * THREADS][COLS];

static int depth(void) { return ALL < INNER ? ALL : INNER; }

static void fill(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i++)
        for (int j = 0; j < COLS; j++) {
            a[i][j] = (i + 2 * j) % 7 - 3;
            b[i][j] = (3 * i + j) % 5 - 2;
            c[i][j] = 0;
        }
    upc_barrier;
}

static void multiply(void)
{
    int i, j, k;

    upc_forall (i = 0; i < ALL; i++; &c[i][0])
        for (k = 0; k < depth(); k++)
            for (j = 0; j < COLS; j++)
                c[i][j] += a[i][k] * b[k][j];
}

/* Every 7th element of the thread's rows, computed again. */
static int is_right(void)
{
    for (int i = MYTHREAD * ROWS; i < (MYTHREAD + 1) * ROWS; i += 7)
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
    fill();
    upc_tick_t start = upc_ticks_now();
    multiply();
    upc_barrier;
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("product %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("product %.6f OK\n", seconds);
    return 0;
}
