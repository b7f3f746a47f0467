// question: do relaxed atomic operations on one variable not race with each other?
#include "races.h"
#include <upc_atomic.h>

static shared int count;
static shared long total;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    int i, one = 1;
    upc_barrier;
    for (i = 0; i < 10; i++) {
        upc_atomic_relaxed(domain, NULL, UPC_ADD, &count, &one, NULL);
        bupc_atomicL_fetchadd_relaxed(&total, 2);
    }
    upc_barrier;
    CHECK(count == 10 * THREADS && total == 20 * THREADS);
    return pass();
}
