// question: a request that the heap cannot hold ends the job and says what was asked, what is in use and which flag raises it
// threads: 1 2
// set: UPC_SHARED_HEAP_SIZE=1M
// status: nonzero
// stderr: shared-heap
// stderr: 100000
#include "check.h"

int main(void)
{
    int i;
    for (i = 0; i < 1000; i++) {
        shared [] char *p = upc_alloc(100000);
        p[0] = 1;
    }
    return pass();
}
