// question: threads that give different barrier expressions end the job with a message
// threads: 2 3 8
// status: nonzero
// stderr: barrier_mismatch.upc:9 (main): barrier mismatch
#include "check.h"

int main(void)
{
    upc_barrier MYTHREAD == 1 ? 4 : 3;
    return pass();
}
