// question: with -mcmodel=medium, static shared data may exceed 2 GB per thread
// threads: 1 3
// flags: -mcmodel=medium
// counts: UPC_ALL_BROADCAST=THREADS, UPC_ALL_REDUCE=THREADS, UPC_BARRIER=2*THREADS, UPC_PUT=4+THREADS, UPC_PUT.remote=4*(THREADS>1), UPC_GET=6*THREADS, UPC_GET.remote=5*(THREADS-1)
#include "check.h"
#include <upc_collective.h>

shared [] char first[1500000000];
shared int between;
shared [] char last[1500000000];
shared int each[THREADS], copies[THREADS], sum;

int main(void)
{
    if (MYTHREAD == THREADS - 1) {
        first[1499999999] = 1;
        between = 2;
        last[0] = 3;
        last[1499999999] = 4;
    }
    upc_barrier;
    CHECK(first[1499999999] == 1 && between == 2 && last[0] == 3 && last[1499999999] == 4);
    CHECK(upc_addrfield(&last[1499999999]) - upc_addrfield(last) == 1499999999);
    // The runtime's own shared data comes after the program's.
    each[MYTHREAD] = MYTHREAD + 1;
    upc_all_broadcast(copies, &each[0], sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
    CHECK(copies[MYTHREAD] == 1);
    upc_all_reduceI(&sum, each, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(sum == THREADS * (THREADS + 1) / 2);
    return pass();
}
