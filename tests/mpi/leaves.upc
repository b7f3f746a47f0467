// question: is a thread that leaves, while others wait for it, the end of the job?
// threads: 3
// status: 1
// stderr: waits in upc_barrier, but thread 1 has ended (exit status 3)
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 1)
        exit(3);
    upc_barrier;
    return 0;
}
