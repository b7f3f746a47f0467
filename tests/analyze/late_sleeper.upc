// finding: late-thread 22 thread 1
/* Thread 1 sleeps before each barrier, as in a call of the system. */
#include <stdio.h>
#include <unistd.h>
#include "work.h"

#define STEPS 10

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
#ifdef ADVISED
        usleep(10000 / THREADS);
#else
        if (MYTHREAD == 1)
            usleep(10000);
#endif
        work(200);
        steps[(MYTHREAD + 1) % THREADS] = step;
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf("PASS %.0f %.0f\n", 10e6 * STEPS * (THREADS - 1), 10e6 * STEPS);
    return 0;
}
