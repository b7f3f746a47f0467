// question: are two locks reported that two threads take in opposite orders, without a deadlock in this run?
// threads: 2 3
// lock-order: 12 20
#include "races.h"

static shared int done;
static upc_lock_t *first, *second;

static void forwards(void)
{
    upc_lock(first);
    upc_lock(second);
    upc_unlock(second);
    upc_unlock(first);
}

static void backwards(void)
{
    upc_lock(second);
    upc_lock(first);
    upc_unlock(first);
    upc_unlock(second);
}

int main(void)
{
    first = upc_all_lock_alloc(), second = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        forwards();
        gate_open(&done);
    } else if (MYTHREAD == 1) {
        gate_wait(&done);
        backwards();
    }
    return pass();
}
