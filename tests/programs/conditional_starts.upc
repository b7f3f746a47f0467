// question: a loop that makes an access under a condition may start before the array and end behind it
#include "check.h"

#define N 64
#define ROWS 4
#define COLS 48

shared int a[N * THREADS];
shared [ROWS * COLS] int c[ROWS * THREADS][COLS];
shared [COLS] int e[THREADS][COLS];
shared [] int d[N];
shared [4] int f[4 * THREADS], g[16 * THREADS];

/* The elements of each thread are written by it alone. */
static void count_up(int below, int beyond)
{
    int i, j, k;

    for (i = MYTHREAD - below * THREADS; i < (N + beyond) * THREADS; i += THREADS)
        if (i >= 0 && i < N * THREADS)
            a[i] += i;
    for (k = -below; k < ROWS * THREADS + beyond; k++)
        for (j = 0; j < COLS; j++)
            if (k >= MYTHREAD * ROWS && k < (MYTHREAD + 1) * ROWS)
                c[k][j] += k * COLS + j;
    for (k = -below; k < THREADS + beyond; k++)
        for (j = -below; j < COLS + beyond; j++)
            if (k == MYTHREAD && j >= 0 && j < COLS)
                e[k][j] += k + j;
    for (i = -below; MYTHREAD == 0 && i < N + beyond; i++)
        if (i >= 0 && i < N)
            d[i] += i;
    for (i = -4 * below; i < 4 * (THREADS + beyond); i += 4)
        if (i == 4 * MYTHREAD)
            f[i] += i + 1;
    for (i = 4 * (MYTHREAD - below * THREADS); i < 4 * (4 + beyond) * THREADS; i += 4 * THREADS)
        if (i >= 0 && i < 16 * THREADS)
            g[i] += i + 1;
}

/* Downwards, from behind the arrays: the sum of all elements. */
static long sum_down(int below, int beyond)
{
    long sum = 0;
    int i, j, k;

    for (i = (N + beyond) * THREADS - 1; i >= -below * THREADS; i--)
        sum += i >= 0 && i < N * THREADS ? a[i] : 0;
    for (k = ROWS * THREADS + beyond; k >= -below; k--)
        for (j = COLS - 1; j >= 0; j--)
            if (k >= 0 && k < ROWS * THREADS)
                sum += c[k][j];
    for (k = THREADS + beyond; k >= -below; k--)
        for (j = COLS + beyond; j >= -below; j--)
            if (k >= 0 && k < THREADS && j >= 0 && j < COLS)
                sum += e[k][j];
    for (i = N + beyond; i >= -below; i--)
        if (i >= 0 && i < N)
            sum += d[i];
    for (i = 4 * (THREADS + beyond); i >= -4 * below; i -= 4)
        if (i >= 0 && i < 4 * THREADS)
            sum += f[i];
    for (i = 4 * (4 * THREADS + beyond); i >= -4 * below; i -= 4)
        if (i >= 0 && i < 16 * THREADS)
            sum += g[i];
    return sum;
}

int main(void)
{
    long n = N * THREADS, cells = ROWS * COLS * THREADS, sum = 0;
    int turn;

    for (turn = 0; turn < 4; turn++)
        count_up(turn, 3 - turn);
    upc_barrier;
    sum += n * (n - 1) / 2 + cells * (cells - 1) / 2 + N * (N - 1) / 2;
    sum += COLS * (THREADS * (THREADS - 1) / 2) + THREADS * (COLS * (COLS - 1) / 2);
    sum += 4 * (THREADS * (THREADS - 1) / 2) + THREADS;
    sum += 4 * (4 * THREADS * (4 * THREADS - 1) / 2) + 4 * THREADS;
    sum *= 4;
    for (turn = 0; turn < 4; turn++) {
        CHECK(sum_down(turn, 0) == sum);
        CHECK(sum_down(0, turn) == sum);
        CHECK(sum_down(turn, 5) == sum);
    }
    return pass();
}
