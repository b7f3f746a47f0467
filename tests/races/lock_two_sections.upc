// question: is a sum whose read and write have a critical section each, in which updates are lost, no race?
#include "races.h"

static shared int x;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int seen;
    upc_lock(lock);
    seen = x;
    upc_unlock(lock);
    upc_lock(lock);
    x = seen + 1;
    upc_unlock(lock);
    upc_barrier;
    CHECK(x >= 1 && x <= THREADS);
    return pass();
}
