// question: are two locks that threads take in opposite orders in different phases not reported?
#include "races.h"

static void both(upc_lock_t *one, upc_lock_t *other)
{
    upc_lock(one);
    upc_lock(other);
    upc_unlock(other);
    upc_unlock(one);
}

int main(void)
{
    upc_lock_t *first = upc_all_lock_alloc(), *second = upc_all_lock_alloc();
    if (MYTHREAD == 0)
        both(first, second);
    upc_barrier;
    if (MYTHREAD == 1)
        both(second, first);
    return pass();
}
