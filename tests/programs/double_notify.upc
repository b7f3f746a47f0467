// question: notify after notify without a wait between them ends the job with a message
// threads: 1 2
// status: nonzero
// stderr: notify
#include "check.h"

int main(void)
{
    upc_notify;
    upc_barrier;
    upc_wait;
    return pass();
}
