// question: is the race found of threads that exclude each other by relaxed compare-and-swaps?
// threads: 2
// race: 12 12
#include "races.h"

static shared int word, x;

int main(void)
{
    while (bupc_atomicI_cswap_relaxed(&word, 0, 1) != 0)
        sched_yield();
    x++;
    bupc_atomicI_set_relaxed(&word, 0);
    return pass();
}
