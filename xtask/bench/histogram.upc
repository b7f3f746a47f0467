/* The histogram of section 7.1.1 of Zhang's thesis on MuPC: each thread counts random elements of a cyclic array. */
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#ifndef N
#define N 1048576 /* elements */
#endif
#ifndef UPDATES
#define UPDATES (N / 2) /* of each thread */
#endif

shared int array[N * THREADS];
static int loc[UPDATES];

int main(void)
{
    unsigned r = 12345u + MYTHREAD;

    for (int i = 0; i < UPDATES; i++) {
        r = r * 1103515245u + 12345u;
        loc[i] = (int)(((unsigned long)r * (N * THREADS)) >> 32);
    }
    upc_barrier;
    for (int i = 0; i < UPDATES; i++)
        array[loc[i]]++;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("histogram OK\n");
    return 0;
}
