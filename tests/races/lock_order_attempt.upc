// question: is a second lock that a thread only attempts, which never waits, not reported?
#include "races.h"

int main(void)
{
    upc_lock_t *first = upc_all_lock_alloc(), *second = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(first);
        upc_lock(second);
        upc_unlock(second);
        upc_unlock(first);
    } else {
        upc_lock(second);
        if (upc_lock_attempt(first))
            upc_unlock(first);
        upc_unlock(second);
    }
    return pass();
}
