// question: is the race found of a flag that is written under a lock and read without it, and of its data?
// threads: 2
// race: 14 24
// race: 16 22
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
            upc_fence;
            sched_yield();
            seen = ready;
        }
        seen = data;
    }
    return pass();
}
