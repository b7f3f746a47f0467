// question: does a flag of strict atomic operations order the data that it announces?
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
        upc_atomic_strict(domain, NULL, UPC_SET, &flag, &one, NULL);
    } else {
        while (!seen) {
            upc_atomic_strict(domain, &seen, UPC_GET, &flag, NULL, NULL);
            sched_yield();
        }
        CHECK(data == 42);
    }
    return pass();
}
