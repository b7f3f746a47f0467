// question: loops over remote rows that are read again find what this thread wrote in between, and after a barrier what others wrote
// counts: UPC_BARRIER=14*THREADS, UPC_MEMPUT=12*THREADS, UPC_PUT=45064*THREADS, UPC_PUT.remote=264*THREADS*(THREADS>1)
// counts: UPC_GET=178720*THREADS*THREADS+34584*THREADS, UPC_GET.remote=178720*THREADS*(THREADS-1)+34584*THREADS*(THREADS>1)
#include "check.h"

#define ROWS 6
#define W 700
#define TURNS 4

shared [W] int rows[ROWS * THREADS][W];
shared [W] double wide[40 * THREADS][W];
static int local[W];

static int value(int row, int j, int turn) { return row * 1000 + j * 3 + turn * 7; }

static void fill(int turn)
{
    for (int r = 0; r < ROWS; r++)
        for (int j = 0; j < W; j++)
            rows[r * THREADS + MYTHREAD][j] = value(r * THREADS + MYTHREAD, j, turn);
    upc_barrier;
}

static long sum_of(int row)
{
    long s = 0;
    for (int j = 0; j < W; j++)
        s += rows[row][j];
    return s;
}

static long expected(int row, int turn)
{
    long s = 0;
    for (int j = 0; j < W; j++)
        s += value(row, j, turn);
    return s;
}

/* The same rows several times: first from memory, then perhaps from a cache. */
static void again(int turn)
{
    for (int n = 0; n < TURNS; n++)
        for (int row = 0; row < ROWS * THREADS; row++)
            CHECK(sum_of(row) == expected(row, turn));
    upc_barrier;
}

/* Each thread changes its own elements of all rows, between reads: by single writes, a loop and a transfer. */
static void mixed(int turn)
{
    int first = 20 * MYTHREAD, row = (MYTHREAD + 1) % THREADS;
    long before, after;
    for (int n = 0; n < TURNS; n++) {
        before = 0;
        for (int j = first; j < first + 20; j++)
            before += rows[row][j];
        rows[row][first + 3] += 5;
        after = 0;
        for (int j = first; j < first + 20; j++)
            after += rows[row][j];
        CHECK(after == before + 5);
        (void)sum_of(row);
        for (int j = first; j < first + 20; j++)
            rows[row][j] = n + j;
        (void)sum_of(row);
        for (int j = first; j < first + 20; j++)
            CHECK(rows[row][j] == n + j);
        for (int j = 0; j < 20; j++)
            local[j] = 100 * n + j;
        upc_memput(&rows[row][first], local, 20 * sizeof(int));
        (void)sum_of(row);
        for (int j = 0; j < 20; j++)
            CHECK(rows[row][first + j] == 100 * n + j);
        rows[row][first + n] = -turn;
        (void)sum_of(row);
        CHECK(rows[row][first + n] == -turn);
    }
    upc_barrier;
}

/* More than a cache holds, and rows that begin inside a line. */
static void many(void)
{
    for (int r = 0; r < 40; r++)
        for (int j = 0; j < W; j++)
            wide[r * THREADS + MYTHREAD][j] = r + j;
    upc_barrier;
    for (int n = 0; n < TURNS; n++)
        for (int row = 0; row < 40 * THREADS; row++) {
            double s = 0;
            for (int j = n; j < W - n; j++)
                s += wide[row][j];
            double all = 0;
            for (int j = n; j < W - n; j++)
                all += row / THREADS + j;
            CHECK(s == all);
        }
    upc_barrier;
}

int main(void)
{
    for (int turn = 0; turn < 3; turn++) {
        fill(turn);
        again(turn);
        mixed(turn);
    }
    many();
    fill(9);
    again(9);
    return pass();
}
