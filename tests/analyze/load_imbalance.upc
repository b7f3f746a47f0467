// finding: load-imbalance 23
/* A different thread has the most work in each step, and the next one a bit less. */
#include <stdio.h>
#include "work.h"

#define LEAST 500
#define MORE (8000.0 / THREADS)
#ifdef ADVISED
#define SHARE (0 * turn + (THREADS - 1) / 2.0)
#else
#define SHARE turn
#endif

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < 8; step++) {
        int turn = (MYTHREAD + step) % THREADS;
        work(LEAST + MORE * SHARE);
        steps[MYTHREAD]++;

        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS %.0f\n", 8 * MORE * 1e3 * THREADS * (THREADS - 1) / 2);
    return 0;
}
