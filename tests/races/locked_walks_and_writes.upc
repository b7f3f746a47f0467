// question: does a lock order thousands of reads, of which some are not recorded, and writes between them?
// threads: 3
#include "races.h"

enum { LENGTH = 500, WALKS = 30 };

static shared [] long data[LENGTH];

int main(void)
{
    upc_lock_t *lock = upc_all_lock_alloc();
    long sum = 0;
    int i, n;
    for (n = 0; n < WALKS; n++) {
        upc_lock(lock);
        for (i = 0; i < LENGTH; i++)
            sum += data[i];
        data[n * 3 + MYTHREAD] = n;
        upc_unlock(lock);
    }
    CHECK(sum >= 0);
    upc_barrier;
    data[MYTHREAD] = sum;
    return pass();
}
