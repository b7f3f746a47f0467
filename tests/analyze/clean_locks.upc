// finding: none
/* Each thread works under a lock that no other one takes. */
#include <stdio.h>
#include "work.h"

shared int counts[THREADS];

int main(void)
{
    upc_lock_t *lock = upc_global_lock_alloc();

    for (int step = 0; step < 20; step++) {
        upc_lock(lock);
        counts[MYTHREAD]++;
        work(2500);
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(counts[THREADS - 1] == 20 ? "PASS\n" : "FAIL\n");
    return 0;
}
