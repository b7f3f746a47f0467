// question: is the race found of an access under a lock with one without it?
// threads: 2
// race: 13 16
#include "races.h"

static shared int x;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(lock);
        x++;
        upc_unlock(lock);
    } else {
        x += 2;
    }
    return pass();
}
