// question: a thread that dies ends the job with one line that names thread and signal
// threads: 2 4
// status: nonzero
// stderr: crash.upc:13 (main): killed by SIGSEGV (sent by a process)
// stderr: upc thread 1 of
#include "check.h"
#include <signal.h>

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 1)
        raise(SIGSEGV);
    upc_barrier;
    return pass();
}
