// finding: none
/* One lock that all take rarely and hold shortly, between long computations. */
#include <stdio.h>
#include "work.h"

shared long total;
upc_lock_t *lock;

int main(void)
{
    lock = upc_all_lock_alloc();
    for (int step = 0; step < 10; step++) {
        work(5000);
        upc_lock(lock);
        total += step;
        upc_unlock(lock);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf(total == 45L * THREADS ? "PASS\n" : "FAIL\n");
    return 0;
}
