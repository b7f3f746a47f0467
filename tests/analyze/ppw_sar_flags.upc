// finding: late-post 43 thread 0
/* The revision of ppw_sar.upc that PPW's study found to be no faster: each thread waits for its own patch instead of at a
   barrier, but as long as before, because the master still reads all patches before it processes its own. */
#include <bupc_extensions.h>
#include <stdio.h>
#include <unistd.h>
#include "work.h"

#define ITERATIONS 10
#define DISK 6000

static bupc_sem_t *shared ready[THREADS];
static bupc_sem_t *shared done;
shared int patches[THREADS];

/* Writes the results of some patches and reads the next ones. */
static void transfer_file(int iteration, int first, int number)
{
    usleep(DISK / THREADS * number);
    for (int to = first; to < first + number; to++)
        patches[to] = iteration;
}

int main(void)
{
    long sum = 0;

    ready[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER);
    if (MYTHREAD == 0)
        done = bupc_sem_alloc(BUPC_SEM_INTEGER);
    upc_barrier;
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
#ifdef ADVISED /* Each thread reads and writes its own patches. */
        transfer_file(iteration, MYTHREAD, 1);
#endif
        if (MYTHREAD == 0) {
#ifndef ADVISED
            transfer_file(iteration, 0, THREADS);
#endif
            for (int to = 1; to < THREADS; to++)
                bupc_sem_post(ready[to]);
        } else {
            bupc_sem_wait(ready[MYTHREAD]);
        }
        work(300);
        sum += patches[MYTHREAD];
        if (MYTHREAD == 0)
            bupc_sem_waitN(done, THREADS - 1);
        else
            bupc_sem_post(done);
    }
    upc_barrier;
    if (sum != ITERATIONS * (ITERATIONS - 1) / 2)
        upc_global_exit(1);
    if (MYTHREAD == 0)
        printf("PASS\n");
    return 0;
}
