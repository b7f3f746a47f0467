// finding: serialised-section 14
/* The work is done under a lock. */
#include <stdio.h>
#include "work.h"

shared long counter;
upc_lock_t *lock;

int main(void)
{
    lock = upc_all_lock_alloc();
    upc_barrier;
    for (int i = 0; i < 10; i++) {
        upc_lock(lock);
        work(1000);
        counter++;
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(counter == 10L * THREADS ? "PASS\n" : "FAIL\n");
    return 0;
}
