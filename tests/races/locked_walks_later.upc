// question: is a read in a critical section found that comes after a write without the lock and after thousands of reads?
// threads: 3
// race: 33 41
#include "races.h"

enum { LENGTH = 500, WALKS = 30 };

static shared [] long data[LENGTH];
static shared int walked[THREADS], written;

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
    long sum = data[7]; /* of all threads, and nothing orders them: each is remembered */
    if (MYTHREAD < 2) {
        CHECK(walks(lock) == 0);
        gate_open(&walked[MYTHREAD]);
        gate_wait(&written);
        upc_lock(lock);
        sum = data[7];
        upc_unlock(lock);
        CHECK(sum == 1);
    } else {
        gate_wait(&walked[0]);
        gate_wait(&walked[1]);
        upc_lock(lock); /* behind the first reads */
        upc_unlock(lock);
        data[7] = 1;
        gate_open(&written);
    }
    return pass();
}
