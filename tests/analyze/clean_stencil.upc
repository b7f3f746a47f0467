// finding: none
/* A stencil over blocks whose threads have equal work. */
#include <stdio.h>
#include "work.h"

#define B 2000

shared [B] double a[B * THREADS], b[B * THREADS];

int main(void)
{
    int i;

    upc_forall (i = 0; i < B * THREADS; i++; &a[i])
        a[i] = 1;
    upc_barrier;
    for (int step = 0; step < 10; step++) {
        upc_forall (i = 1; i < B * THREADS - 1; i++; &b[i])
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        work(2000);
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(b[5] == 1 ? "PASS\n" : "FAIL\n");
    return 0;
}
