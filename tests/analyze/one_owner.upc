// finding: one-owner 26 thread 0
/* All threads read elements of a table that has affinity to thread 0, in no order. */
#include <stdio.h>
#include "work.h"

#define N 4096
#define TIMES (400000 / THREADS)

shared [] int *shared table;

int main(void)
{
    long sum = 0;
    unsigned place = MYTHREAD + 1;

    if (MYTHREAD == 0)
        table = upc_alloc(N * sizeof(int));
    upc_barrier;
    shared [] int *mine = table;
    for (int i = MYTHREAD; i < N; i += THREADS)
        mine[i] = 1;
    upc_barrier;
    for (int i = 0; i < TIMES; i++) {
        place = place * 1664525u + 1013904223u;

        sum += mine[place >> 20];
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(sum == TIMES ? "PASS\n" : "FAIL\n");
    return 0;
}
