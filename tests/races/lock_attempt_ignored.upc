// question: is the race found of a thread that goes on after an attempt at a lock has failed?
// threads: 2
// race: 14 20
#include "races.h"

static shared int x, held, tried;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(lock);
        gate_open(&held);
        x = 1;
        gate_wait(&tried);
        upc_unlock(lock);
    } else {
        gate_wait(&held);
        CHECK(!upc_lock_attempt(lock));
        x = 2;
        gate_open(&tried);
    }
    return pass();
}
