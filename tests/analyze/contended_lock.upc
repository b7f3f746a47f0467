// finding: contended-lock 24
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
#ifdef ADVISED
    long mine = 0;
    for (int i = 0; i < TIMES; i++)
        mine++;
    upc_lock(lock);
    counter += mine;
    upc_unlock(lock);
#else
    for (int i = 0; i < TIMES; i++) {
        upc_lock(lock);
        counter++;
        upc_unlock(lock);
    }
#endif
    upc_barrier;
    if (MYTHREAD == 0)
        printf(counter == TIMES * THREADS ? "PASS\n" : "FAIL\n");
    return 0;
}
