// finding: none
/* Each thread reads the block of the next one at once and computes with it. */
#include <stdio.h>
#include "work.h"

#define B 4096

shared [B] double a[B * THREADS];
double copy[B];

int main(void)
{
    for (int step = 0; step < 10; step++) {
        upc_memget(copy, &a[(MYTHREAD + 1) % THREADS * B], sizeof copy);
        work(5000);
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
