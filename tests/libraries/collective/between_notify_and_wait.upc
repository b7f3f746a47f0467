// question: is a collective call between upc_notify and upc_wait refused?
// status: 1
// stderr: upc_all_broadcast called between upc_notify and upc_wait
#include "collective.h"

shared double d[THREADS], result;

int main(void)
{
    upc_notify;
    upc_all_broadcast(d, &result, sizeof(double), 0);
    upc_wait;
    return pass();
}
