// check: LOCK_NULL LOCK_NONE LOCK_FREED LOCK_HELD UNLOCK
#include "check.h"

upc_lock_t *lock;
shared int turn;

static int legal(void)
{
    upc_lock_t *mine = upc_global_lock_alloc();
    int i;
    for (i = 0; i < 10; i++) {
        upc_lock(lock);
        turn++;
        upc_unlock(lock);
    }
    while (!upc_lock_attempt(lock))
        continue;
    upc_unlock(lock);
    upc_lock(mine);
    upc_lock(lock);
    upc_unlock(mine);
    upc_unlock(lock);
    upc_barrier;
    if (turn != 10 * THREADS)
        return 1;
    upc_lock(mine);
    upc_lock_free(mine); /* held: that is allowed */
    return passed();
}

int main(int argc, char **argv)
{
    upc_lock_t *null = NULL, *other = upc_global_lock_alloc();
    lock = upc_all_lock_alloc();
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1: upc_lock(null); break; //~ 1 upc_lock called with a null pointer
    case 2: upc_unlock(null); break; //~ 2 upc_unlock called with a null pointer
    case 3: upc_lock_attempt(null); break; //~ 3 upc_lock_attempt called with a null pointer
    case 4: upc_lock((upc_lock_t *)upc_alloc(64)); break; //~ 4 upc_lock: there is no lock at thread
    case 5: upc_lock_free(other); upc_lock(other); break; //~ 5 upc_lock on a lock that thread
    case 6: upc_lock(other); upc_lock(other); break; //~ 6 upc_lock on a lock that this thread already holds
    case 7: upc_lock(other); return upc_lock_attempt(other); //~ 7 upc_lock_attempt on a lock that this thread already holds
    case 8: upc_unlock(other); break; //~ 8 upc_unlock on a lock that this thread does not hold
    case 9:
        if (MYTHREAD == 0)
            upc_lock(lock);
        upc_barrier;
        if (MYTHREAD == 1)
            upc_unlock(lock); //~ 9 2+ does not hold
        break;
    case 10: upc_lock(other); upc_unlock(other); upc_unlock(other); break; //~ 10 does not hold
    }
    upc_barrier;
    return 0;
}
