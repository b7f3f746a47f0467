// finding: none
/* Each thread looks up a few elements of a table that all own, in no order, and computes with each. */
#include <stdio.h>
#include "work.h"

#define N (4096 * THREADS)

shared int table[N];

int main(void)
{
    long sum = 0;
    unsigned place = MYTHREAD + 1;

    upc_forall (int i = 0; i < N; i++; i)
        table[i] = 1;
    upc_barrier;
    for (int i = 0; i < 500; i++) {
        place = place * 1664525u + 1013904223u;
        sum += table[place % N];
        work(100);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(sum == 500 ? "PASS\n" : "FAIL\n");
    return 0;
}
