// finding: none
/* A split-phase barrier with the work between its halves. */
#include <stdio.h>
#include "work.h"

shared int steps[THREADS];

int main(void)
{
    for (int step = 0; step < 10; step++) {
        steps[MYTHREAD] = step;
        upc_notify;
        work(5000);
        upc_wait;
        if (steps[(MYTHREAD + 1) % THREADS] < step)
            upc_global_exit(1);
    }
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
