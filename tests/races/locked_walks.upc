// question: is a write found that comes after thousands of reads in critical sections, of which some are not recorded?
// threads: 3
// race: 18 30
#include "races.h"

enum { LENGTH = 500, WALKS = 30 };

static shared [] long data[LENGTH];
static shared [1] int walked[THREADS];

static long walks(upc_lock_t *lock)
{
    long sum = 0;
    int i, n;
    for (n = 0; n < WALKS; n++) {
        upc_lock(lock);
        for (i = 0; i < LENGTH; i++)
            sum += data[i];
        upc_unlock(lock);
    }
    return sum;
}

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    if (MYTHREAD == 2) {
        gate_wait(&walked[0]);
        gate_wait(&walked[1]);
        data[7] = 1;
    } else {
        CHECK(walks(lock) == 0);
        gate_open(&walked[MYTHREAD]);
    }
    return pass();
}
