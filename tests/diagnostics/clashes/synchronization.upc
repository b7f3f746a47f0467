// Synchronization out of order is shown with what it does not go together with.
#include <upc.h>

void order(void)
{
    upc_notify; //~2 the upc_notify
    upc_notify; //~ W0710
}

void phases(void)
{
    upc_barrier; //~2 here the last phase ended
    upc_wait; //~ W0710
}
