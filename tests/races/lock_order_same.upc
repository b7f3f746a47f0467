// question: are locks that all threads take in the same order, or that one thread alone takes in both, not reported?
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
    upc_lock_t *own = upc_global_lock_alloc(), *next = upc_global_lock_alloc();
    both(first, second);
    both(first, second);
    both(own, next);
    both(next, own);
    return pass();
}
