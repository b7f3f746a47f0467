/* tests/analyze/single_gets.upc as `upcprof analyze` advises: each round moves the block of the next thread at once. */
#include <stdio.h>
#include "../work.h"

#define N 4096
#define ROUNDS (40 / THREADS + 1)

shared [N] double a[N * THREADS];
double buffer[N];

int main(void)
{
    double sum = 0;
    int other = (MYTHREAD + 1) % THREADS;

    for (int i = 0; i < N; i++)
        a[MYTHREAD * N + i] = i;
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        upc_memget(buffer, &a[other * N], N * sizeof *buffer);
        for (int i = 0; i < N; i++)
            sum += buffer[i];
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(sum == (double)ROUNDS * N * (N - 1) / 2 ? "PASS\n" : "FAIL\n");
    return 0;
}
