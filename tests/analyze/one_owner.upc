// finding: one-owner 38 thread 0
// why: stays as it is: the address does not change by the same number of elements in each iteration
// distance: 1000000
// threads: 2 8
/* All threads read elements of a table that has affinity to thread 0, in no order. */
#include <stdio.h>
#include "work.h"

/* What it costs is the time of the accesses, and that in which thread 0 waits for the others. */
#define N 4096
#define TIMES ELEMENTS

shared [] int *shared table;
int copy[N];

int main(void)
{
    long sum = 0;
    unsigned place = MYTHREAD + 1;

    if (MYTHREAD == 0)
        table = upc_alloc(N * sizeof(int));
    upc_barrier;
    shared [] int *mine = table;
    if (MYTHREAD == 0) {
        for (int i = 0; i < N; i++)
            mine[i] = 1;
    }
    upc_barrier;
#ifdef ADVISED
    upc_memget(copy, mine, sizeof copy);
#endif
    for (int i = 0; i < TIMES; i++) {
        place = place * 1664525u + 1013904223u;
#ifdef ADVISED
        sum += copy[place >> 20];
#else
        sum += mine[place >> 20];
#endif
    }
    upc_barrier;
    if (MYTHREAD == 0)
        planted(sum == TIMES, (double)TIMES * THREADS * DISTANCE);
    return 0;
}
