// question: does a strict flag that is checked twice order what one thread initialises for all?
#include "races.h"

static shared int table[4 * THREADS];
static strict shared int ready;

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (!ready) {
        upc_lock(lock);
        if (!ready) {
            table[2] = 42;
            ready = 1;
        }
        upc_unlock(lock);
    }
    CHECK(table[2] == 42);
    return pass();
}
