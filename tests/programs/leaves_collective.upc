// question: is a thread that leaves, while others wait for its part of a collective function, the end of the job?
// threads: 3
// status: 1
// stderr: waits in upc_all_broadcast, but thread 1 has ended (exit status 3)
#include <upc.h>
#include <upc_collective.h>
#include <stdlib.h>

static shared [8] char dst[8 * THREADS], src[8 * THREADS];

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 1)
        exit(3);
    upc_all_broadcast(dst, &src[8], 8, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    return 0;
}
