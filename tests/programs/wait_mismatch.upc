// question: a wait whose expression differs from the notify's ends the job with a message
// threads: 1 2 4
// status: nonzero
// stderr: wait
#include "check.h"

int main(void)
{
    upc_notify 1;
    upc_wait 2;
    return pass();
}
