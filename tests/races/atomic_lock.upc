// question: does a lock that a program makes of strict compare-and-swaps order the threads?
#include "races.h"

static shared int word, x;

int main(void)
{
    int i;
    for (i = 0; i < 5; i++) {
        while (bupc_atomicI_cswap_strict(&word, 0, 1) != 0)
            sched_yield();
        x++;
        bupc_atomicI_set_strict(&word, 0);
    }
    upc_barrier;
    CHECK(x == 5 * THREADS);
    return pass();
}
