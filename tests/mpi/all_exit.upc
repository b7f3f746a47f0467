// question: does upc_global_exit by all threads at once end the job, with the status of one of them, and what each has printed once?
// status: 7
// stdout: end of it
#include <upc.h>
#include <stdio.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        printf("end of it");
    upc_barrier;
    upc_global_exit(7);
    return 0;
}
