// finding: late-thread 23 thread 1
// threads: 2 8
/* Thread 1 computes longer than the others before each barrier. */
#include <stdio.h>
#include "work.h"

#define STEPS 10
#ifdef ADVISED
#define MINE (300 + 5700.0 / THREADS)
#else
#define MINE (MYTHREAD == 1 ? 6000 : 300)
#endif

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
        work(MINE);
        steps[MYTHREAD]++;
        steps[(MYTHREAD + 1) % THREADS];

        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS %.0f %.0f\n", 5700e3 * STEPS * (THREADS - 1), 5700e3 * STEPS);
    return 0;
}
