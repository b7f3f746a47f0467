// finding: single-transfers 31
// loop: in the for loop of lines 29 to 31
// distance: 1000000
// flags: -fno-upc-runs
/* Each thread sums the block of the next one, element by element. */
#include <stdio.h>
#include "work.h"

#define N ELEMENTS
#define ROUNDS (DISTANCE ? 2 : 40 / THREADS + 1)

shared [N] double a[N * THREADS];
double block[N];

int main(void)
{
    double sum = 0;
    int other = (MYTHREAD + 1) % THREADS;

    for (int i = 0; i < N; i++)
        a[MYTHREAD * N + i] = i;
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
#ifdef ADVISED
        upc_memget(block, &a[other * N], sizeof block);
        for (int i = 0; i < N; i++)
            sum += block[i];
#else
        for (int i = 0; i < N; i++)

            sum += a[other * N + i];
#endif
    }
    upc_barrier;
    if (MYTHREAD == 0)
        planted(sum == (double)ROUNDS * N * (N - 1) / 2, (double)THREADS * ROUNDS * (N - 1) * DISTANCE);
    return 0;
}
