// question: is data ordered by a flag that is written and read under a lock?
#include "races.h"

static shared int data, ready;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int seen = 0;
    if (MYTHREAD == 0) {
        data = 42;
        upc_lock(lock);
        ready = 1;
        upc_unlock(lock);
    } else {
        while (!seen) {
            upc_lock(lock);
            seen = ready;
            upc_unlock(lock);
            sched_yield();
        }
        CHECK(data == 42);
    }
    return pass();
}
