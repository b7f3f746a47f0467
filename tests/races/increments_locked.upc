// question: does a lock order the threads that count in one variable?
#include "races.h"

static shared int count;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int i;
    for (i = 0; i < 10; i++) {
        upc_lock(lock);
        count++;
        upc_unlock(lock);
    }
    upc_barrier;
    CHECK(count == 10 * THREADS);
    return pass();
}
