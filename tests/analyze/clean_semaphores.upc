// finding: none
/* Each thread posts to the next one before it works, so that nobody waits. */
#include <stdio.h>
#include <bupc_extensions.h>
#include "work.h"

#define STEPS 10

static bupc_sem_t *shared filled[THREADS];

int main(void)
{
    bupc_sem_t *mine, *next;

    filled[MYTHREAD] = mine = bupc_sem_alloc(BUPC_SEM_INTEGER);
    upc_barrier;
    next = filled[(MYTHREAD + 1) % THREADS];
    for (int step = 0; step < STEPS; step++) {
        bupc_sem_post(next);
        work(5000);
        bupc_sem_wait(mine);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(bupc_sem_try(mine) ? "FAIL\n" : "PASS\n");
    return 0;
}
