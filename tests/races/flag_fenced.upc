// question: is a relaxed flag a race also with a upc_fence on each side of its write and its reads, while the fences order nothing between threads?
// threads: 2
// race: 13 18
#include "races.h"

shared int flag;
shared int gate;

int main(void)
{
    if (MYTHREAD == 0) {
        upc_fence;
        flag = 1;
        upc_fence;
        gate_open(&gate);
    } else {
        gate_wait(&gate);
        CHECK(flag == 1);
        upc_fence;
    }
    return pass();
}
