// question: does a common lock order threads that also hold different ones?
#include "races.h"

static shared int x;

int main(void)
{
    upc_lock_t *common = upc_all_lock_alloc(), *own = upc_global_lock_alloc();
    upc_lock(own);
    upc_lock(common);
    x++;
    upc_unlock(common);
    upc_unlock(own);
    upc_barrier;
    CHECK(x == THREADS);
    return pass();
}
