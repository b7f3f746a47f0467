// finding: block-size 17
/* A cyclic array of which each thread updates a range. */
#include <stdio.h>
#include "work.h"

#define EACH 4096

shared int a[EACH * THREADS];

int main(void)
{
    int first = MYTHREAD * EACH;

    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < EACH; i++)

            a[first + i] = a[first + i] + round;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(a[0] == 45 ? "PASS\n" : "FAIL\n");
    return 0;
}
