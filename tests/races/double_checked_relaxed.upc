// question: are the races found of a relaxed flag that is checked twice, and of the data that it announces?
// threads: 2
// race: 18 23
// race: 15 19
#include "races.h"

static shared int table[4 * THREADS], ready, initialised;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    int seen;
    if (MYTHREAD == 1)
        gate_wait(&initialised);
    if (!ready) {
        upc_lock(lock);
        if (!ready) {
            table[2] = 42;
            ready = 1;
        }
        upc_unlock(lock);
    }
    seen = table[2];
    if (MYTHREAD == 0)
        gate_open(&initialised);
    CHECK(seen == 42);
    return pass();
}
