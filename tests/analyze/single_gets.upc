// finding: single-transfers 23
// flags: -fno-upc-runs
/* Each thread sums the block of the next one, element by element. */
#include <stdio.h>
#include "work.h"

#define N 4096
#define ROUNDS (40 / THREADS + 1)

shared [N] double a[N * THREADS];

int main(void)
{
    double sum = 0;
    int other = (MYTHREAD + 1) % THREADS;

    for (int i = 0; i < N; i++)
        a[MYTHREAD * N + i] = i;
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {

        for (int i = 0; i < N; i++)
            sum += a[other * N + i];
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(sum == (double)ROUNDS * N * (N - 1) / 2 ? "PASS\n" : "FAIL\n");
    return 0;
}
