// Synchronization out of order is shown with what it does not go together with.
#include <upc.h>

void order(void)
{
    upc_notify; //~2 the upc_notify
    upc_notify; //~ W0710
}

void phases(void)
{
    upc_barrier; //~2 the last barrier phase ended here
    upc_wait; //~ W0710
}

void leave(void)
{
    upc_forall (int i = 0; i < 9; i++; i) { //~2 this upc_forall
        if (i == 3)
            return; //~ W0708
    }
}

void some(void)
{
    if (MYTHREAD == 1) //~2 differs between threads
        upc_barrier; //~ W0709
}
