// finding: varying-operation 42
// why: the target is busy
// network: mpi
/* Thread 0 gets from thread 1. In most steps that one waits at a barrier, where it answers at once. In some steps it
   computes and calls nothing meanwhile: over MPI each get then waits until thread 1 is interrupted. Thread 0 computes for
   the rest of that time, so that nobody is late. */
#include <stdio.h>
#include "work.h"

#define STEPS 12
#define GETS 60
#define BUSY_GETS 200
#define MICROSECONDS 40000

shared [GETS] double a[GETS * THREADS];

/* Microseconds of a processor. */
static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

int main(void)
{
    double sum = 0;

    for (int i = 0; i < GETS; i++)
        a[MYTHREAD * GETS + i] = 1;
    upc_barrier;
    for (int step = 0; step < STEPS; step++) {
        int is_busy = step % 6 == 5;
        double start = now();

        if (MYTHREAD == 1 && is_busy)
            work(MICROSECONDS);
        for (int i = 0; MYTHREAD == 0 && i < (is_busy ? BUSY_GETS : GETS); i++) {
            double one;

            upc_memget(&one, &a[GETS + i % GETS], sizeof one);
            sum += one;
        }
        if (MYTHREAD == 0 && is_busy)
            work(start + MICROSECONDS - now());
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(sum >= STEPS * GETS ? "PASS\n" : "FAIL\n");
    return 0;
}
