/*
 * nqueens: a search cut into many small tasks.
 *
 * In how many ways can N queens stand on an N x N board so that none attacks another?  The
 * queens of the first two columns can be placed in N * N ways: that many tasks, shared out by
 * an upc_forall with an integer affinity (task i goes to thread i % THREADS).  The tasks differ
 * in size, but there are enough of them for chance to balance the threads.
 *
 *   upcc -o nqueens nqueens.upc && ./nqueens -n 4          # or: ./nqueens -n 4 12
 *
 * prints "nqueens: OK (...)".  The argument is N, from 4 to 14.
 */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#define MIN_N 4
#define MAX_N 14

/* The answers, by N. */
static const long known[MAX_N + 1] = {
    [4] = 2,    [5] = 10,    [6] = 4,      [7] = 40,     [8] = 92,      [9] = 352,
    [10] = 724, [11] = 2680, [12] = 14200, [13] = 73712, [14] = 365596,
};

shared long found[THREADS];
shared long tasks[THREADS];

/*
 * Solutions for the columns still free, a queen in each.  Bit r of `rows`, `up` and `down` is set
 * where row r of the column at hand is attacked along its row, a rising and a falling diagonal.
 */
static long solutions(unsigned all, unsigned rows, unsigned up, unsigned down)
{
    unsigned possible = all & ~(rows | up | down);
    long count = 0;

    if (rows == all)
        return 1;
    while (possible != 0) {
        unsigned queen = possible & -possible; /* the lowest row that is free */
        possible ^= queen;
        count += solutions(all, rows | queen, (up | queen) << 1, (down | queen) >> 1);
    }
    return count;
}

/* Solutions with the queens of the first two columns in rows `r0` and `r1`. */
static long solve_task(int n, int r0, int r1)
{
    unsigned all = (1u << n) - 1, first = 1u << r0, second = 1u << r1;
    unsigned rows = first, up = first << 1, down = first >> 1;

    if (second & (rows | up | down))
        return 0;
    return solutions(all, rows | second, (up | second) << 1, (down | second) >> 1);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 11;
    int task, t;
    long count = 0, done = 0;

    if (n < MIN_N || n > MAX_N) {
        if (MYTHREAD == 0) {
            printf("nqueens: FAILED (the size must be from %d to %d)\n", MIN_N, MAX_N);
            upc_global_exit(1);
        }
        upc_barrier; /* the others wait here for the end */
    }

    /* Own sums are kept in private variables; shared memory is written once. */
    upc_forall (task = 0; task < n * n; task++; task) {
        count += solve_task(n, task / n, task % n);
        done++;
    }
    found[MYTHREAD] = count;
    tasks[MYTHREAD] = done;
    upc_barrier;

    if (MYTHREAD == 0) {
        count = done = 0;
        for (t = 0; t < THREADS; t++) {
            count += found[t];
            done += tasks[t];
        }
        if (count != known[n] || done != (long)n * n) {
            printf("nqueens: FAILED (%ld solutions in %ld tasks, not %ld in %d)\n", count, done,
                   known[n], n * n);
            upc_global_exit(1);
        }
        printf("nqueens: OK (%ld solutions for %d queens)\n", count, n);
    }
    return 0;
}

/* The events that all threads together raise. Tests compare them with a profile. */
// counts: UPC_FORALL=THREADS, UPC_BARRIER=THREADS, UPC_PUT=2*THREADS, UPC_GET=2*THREADS, UPC_GET.remote=2*(THREADS-1)
