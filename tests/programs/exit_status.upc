// question: upc_global_exit ends every thread, whatever they wait for, with its status
// threads: 1 2 4 8
// status: 37
// stdout: leaving
#include "check.h"

int main(void)
{
    if (MYTHREAD == THREADS - 1) {
        puts("leaving");
        fflush(stdout);
        upc_global_exit(37);
    }
    upc_barrier;
    upc_barrier;
    return 0;
}
