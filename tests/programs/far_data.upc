// question: with -mcmodel=medium, static shared data may exceed 2 GB per thread
// threads: 1 3
// flags: -mcmodel=medium
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=4, UPC_PUT.remote=4*(THREADS>1), UPC_GET=4*THREADS, UPC_GET.remote=4*(THREADS-1)
#include "check.h"

shared [] char first[1500000000];
shared int between;
shared [] char last[1500000000];

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
    return pass();
}
