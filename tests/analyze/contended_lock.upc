// finding: contended-lock 16
/* All threads add to one counter under a lock. */
#include <stdio.h>
#include "work.h"

#define TIMES (40000 / THREADS)

shared long counter;
upc_lock_t *lock;

int main(void)
{
    lock = upc_all_lock_alloc();
    upc_barrier;
    for (int i = 0; i < TIMES; i++) {
        upc_lock(lock);
        counter++;
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(counter == TIMES * THREADS ? "PASS\n" : "FAIL\n");
    return 0;
}
