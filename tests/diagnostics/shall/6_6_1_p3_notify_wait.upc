// UPC 6.6.1 p3: every thread alternates upc_notify and upc_wait, with no other collective operation between them.

shared int x;

void f(void)
{
    upc_notify;
    upc_notify; //~ W0710 @5 upc_notify between a upc_notify and its upc_wait
    {
        upc_notify;
        x = 1;
        upc_barrier; //~ W0710 @9
    }
    {
        upc_barrier;
        upc_wait; //~ W0710 @9
    }
    if (MYTHREAD == 0)
        upc_barrier; //~ W0709 @9 only threads with `MYTHREAD == 0` reach this upc_barrier: some threads wait forever for the others
    upc_notify;
    x = 2;
    upc_wait;
}
