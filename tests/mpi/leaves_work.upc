// question: is a thread that leaves, while others wait for it in a collective function, the end of the job?
// threads: 3
// status: 1
// stderr: thread 1 has ended (exit status 3)
#include <upc.h>
#include <upc_collective.h>
#include <stdlib.h>

shared int source[THREADS], result;

int main(void)
{
    source[MYTHREAD] = MYTHREAD;
    upc_barrier;
    if (MYTHREAD == 1)
        exit(3);
    upc_all_reduceI(&result, source, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    upc_barrier;
    return 0;
}
