// question: is a cycle of three locks reported that three threads take in pairs?
// threads: 3 4
// lock-order: 13 20 27
#include "races.h"

static shared int done[THREADS];

int main(void)
{
    upc_lock_t *first = upc_all_lock_alloc(), *second = upc_all_lock_alloc(), *third = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(first);
        upc_lock(second);
        upc_unlock(second);
        upc_unlock(first);
        gate_open(&done[0]);
    } else if (MYTHREAD == 1) {
        gate_wait(&done[0]);
        upc_lock(second);
        upc_lock(third);
        upc_unlock(third);
        upc_unlock(second);
        gate_open(&done[1]);
    } else if (MYTHREAD == 2) {
        gate_wait(&done[1]);
        upc_lock(third);
        upc_lock(first);
        upc_unlock(first);
        upc_unlock(third);
    }
    return pass();
}
