// finding: late-thread 15 thread 1
// threads: 2
/* Thread 1 computes longer than the others before each barrier. */
#include <stdio.h>
#include "work.h"

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < 10; step++) {
        work(MYTHREAD == 1 ? 4000 : 100);
        steps[MYTHREAD]++;
        steps[(MYTHREAD + 1) % THREADS];
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
