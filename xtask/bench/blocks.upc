/* Each thread adds up its part of an array, again and again, for block sizes that suit that or do not. */
#include <stdio.h>
#include <upc_relaxed.h>

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef PER
#define PER 2048 /* elements of each thread, a multiple of BLOCK */
#endif
#ifndef STEPS
#define STEPS 4
#endif

shared [BLOCK] double a[PER * THREADS];
shared double sums[THREADS];

int main(void)
{
    long first = MYTHREAD * (long)PER;
    double sum = 0;

    for (int n = 0; n < STEPS; n++) {
        for (long i = 0; i < PER; i++)
            sum += a[first + (i * 5 + n) % PER];
        upc_barrier;
    }
    sums[MYTHREAD] = sum;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("blocks OK\n");
    return 0;
}
