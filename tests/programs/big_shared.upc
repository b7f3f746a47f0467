// question: large static shared arrays and large heap blocks cost only what is touched; heap offsets beyond 2^32 are right
// threads: 1 2 4
// set: UPC_SHARED_HEAP_SIZE=5G
// counts: UPC_ALLOC=1, UPC_FREE=1, UPC_BARRIER=2*THREADS, UPC_PUT=6, UPC_PUT.remote=3*(THREADS>1), UPC_GET=4*THREADS+2, UPC_GET.remote=4*(THREADS-1)
#include "check.h"

shared [] char far_object[1500000000];
shared [1048575] double blocked[1048575 * THREADS];
shared int last;

int main(void)
{
    shared [] char *p;
    size_t top = 1499999999u;
    if (MYTHREAD == THREADS - 1) {
        far_object[top] = 7;
        far_object[0] = 1;
        last = 3;
        blocked[1048575l * THREADS - 1] = 2.5;
    }
    upc_barrier;
    CHECK(far_object[top] == 7 && far_object[0] == 1 && last == 3 && blocked[1048575l * THREADS - 1] == 2.5);
    CHECK(upc_addrfield(&far_object[top]) - upc_addrfield(far_object) == top && &far_object[top] - far_object == top);
    if (MYTHREAD == 0) {
        p = upc_alloc(4500000000u);
        p[4499999999u] = 9;
        p[0] = 2;
        CHECK(p[4499999999u] == 9 && p[0] == 2);
        upc_free(p);
    }
    return pass();
}
