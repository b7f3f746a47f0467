// finding: load-imbalance 15
// threads: 3 4
/* A different thread has the most work in each step, and the next one a bit less. */
#include <stdio.h>
#include "work.h"

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < 4 * THREADS; step++) {
        int turn = (MYTHREAD + step) % THREADS;
        work(500 + 1500 * turn);
        steps[MYTHREAD]++;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
