// question: does upc_global_exit end threads that compute, with its status, their output flushed?
// threads: 3
// status: 7
// stdout: partial
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    upc_barrier;
    printf("partial");
    if (MYTHREAD == 1)
        upc_global_exit(7);
    for (;;)
        continue;
    upc_barrier;
    return 0;
}
