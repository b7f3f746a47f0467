// question: is the race found of data that a flag of relaxed atomic operations announces, and none of the flag?
// threads: 2
// race: 15 22
#include "races.h"
#include <upc_atomic.h>

static shared int data, flag;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | UPC_SET, 0);
    int one = 1, seen = 0;
    upc_barrier;
    if (MYTHREAD == 0) {
        data = 42;
        upc_atomic_relaxed(domain, NULL, UPC_SET, &flag, &one, NULL);
    } else {
        while (!seen) {
            upc_atomic_relaxed(domain, &seen, UPC_GET, &flag, NULL, NULL);
            sched_yield();
        }
        seen = data;
    }
    return pass();
}
