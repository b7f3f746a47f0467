// finding: redundant-barrier 15
/* The second of two barriers orders nothing. */
#include <stdio.h>
#include "work.h"

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < 40000 / THREADS; step++) {
        steps[MYTHREAD]++;
        steps[(MYTHREAD + 1) % THREADS];
        upc_barrier;
#ifndef ADVISED
        upc_barrier;
#endif
    }
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
