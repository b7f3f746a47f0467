/* A million events of several kinds on two threads, with 2,000 rounds: what upcprof is timed on. */
#include <stdio.h>
#include <upc_relaxed.h>

#ifndef ROUNDS
#define ROUNDS 2000
#endif

enum { IN_ROUND = 100, SIZE = 1024 };

shared [SIZE] double a[SIZE * THREADS];
shared [SIZE] int count[SIZE * THREADS];

static double gather(int round, size_t other)
{
    double sum = 0;
    for (int i = 0; i < IN_ROUND; i++) {
        sum += a[other + (size_t)(i * 7 + round) % SIZE];
        if (i % 4 == 0)
            count[other + (size_t)i] = round;
    }
    return sum;
}

int main(void)
{
    double buffer[64], sum = 0;
    size_t other = (size_t)((MYTHREAD + 1) % THREADS) * SIZE;
    for (int round = 0; round < ROUNDS; round++) {
        sum += gather(round, other);
        upc_memget(buffer, &a[other], sizeof buffer);
        if (round % 50 == 0)
            upc_barrier round;
    }
    if (MYTHREAD == 0)
        printf("sum %g\n", sum);
    return 0;
}
