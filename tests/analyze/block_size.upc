// finding: block-size 18
/* A cyclic array of which each thread updates a range. */
#include <stdio.h>
#include "work.h"

#define EACH 4096
#define ROUNDS (20 / THREADS + 1)

shared int a[EACH * THREADS];

int main(void)
{
    int first = MYTHREAD * EACH;

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < EACH; i++)

            a[first + i] = a[first + i] + round;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(a[0] == ROUNDS * (ROUNDS - 1) / 2 ? "PASS\n" : "FAIL\n");
    return 0;
}
