// question: does the job end with the line and the status of a thread that dies by a signal?
// threads: 3
// status: 139
// stderr: upc thread 2 of 3
// stderr: killed by SIGSEGV at address 0x0 (a null pointer)
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        *(volatile int *)0 = 1;
    upc_barrier;
    return 0;
}
