// finding: late-post 41 thread 0
/* Thread 0 works before it posts what the others wait for, although they do not need that work. */
#include <stdio.h>
#include <bupc_extensions.h>
#include "work.h"

#define STEPS 10
#define LATE 6000

static bupc_sem_t *shared filled[THREADS];
static bupc_sem_t *shared emptied;
shared int value;

static void post_all(int step)
{
    value = step;
    for (int i = 1; i < THREADS; i++)
        bupc_sem_post(filled[i]);
}

int main(void)
{
    long sum = 0;

    filled[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER);
    if (MYTHREAD == 0)
        emptied = bupc_sem_alloc(BUPC_SEM_INTEGER);
    upc_barrier;
    for (int step = 0; step < STEPS; step++) {
        if (MYTHREAD == 0) {
#ifdef ADVISED
            post_all(step);
            work(LATE);
#else
            work(LATE);
            post_all(step);
#endif
            bupc_sem_waitN(emptied, THREADS - 1);
            sum += value;
        } else {
            bupc_sem_wait(filled[MYTHREAD]);
            sum += value;
            work(LATE / 2);
            bupc_sem_post(emptied);
        }
    }
    upc_barrier;
    if (sum != STEPS * (STEPS - 1) / 2)
        upc_global_exit(1);
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
