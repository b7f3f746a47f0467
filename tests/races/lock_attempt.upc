// question: does an attempt at a lock that succeeds order like a lock?
#include "races.h"

static shared int x;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int i;
    for (i = 0; i < 5; i++) {
        while (!upc_lock_attempt(lock))
            sched_yield();
        x++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(x == 5 * THREADS);
    return pass();
}
