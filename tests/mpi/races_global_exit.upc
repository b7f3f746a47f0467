// question: is the status of upc_global_exit that of a job with races if only another thread has reported one?
// threads: 3
// flags: -fupc-races -pshm-width=1
// status: 66
// stderr: data race on `x`
#include "../races/races.h"

shared int x, written, reported;

int main(void)
{
    if (MYTHREAD == 0) {
        x = 1;
        gate_open(&written);
    } else if (MYTHREAD == 1) {
        gate_wait(&written);
        x = 2;
        gate_open(&reported);
    } else {
        gate_wait(&reported);
        upc_global_exit(0);
    }
    upc_barrier;
    return 0;
}
