// UPC 1.0, 7.1: the macros of its headers, where the program has not declared the name
#include <upc.h>

shared int a[THREADS];
int barrier(int);

void words(int n)
{
    int i;
    fence; //~ W0711 @5 treated as upc_fence
    fence;
    forall (i = 0; i < THREADS; i++; i) //~ W0711 treated as upc_forall
        a[i] = n;
    barrier_notify n; //~ W0711 treated as upc_notify
    barrier_wait n; //~ W0711 treated as upc_wait
    {
        int notify = 1;
        notify;
    }
    notify; //~ W0711
    wait; //~ W0711
    barrier;
    barrier(n);
}

/* No statement: what C says of a name that is not declared. */
int names(int n)
{
    n = fence; //~ E0300
    n += wait + 1; //~ E0300
    forall(n, 1); //~ W0301
    notify(1); //~ W0301
    wait.n = 2;
    return notify(2);
}

int spoilt(int n)
{
    notify unknown; //~ E0100
    return n;
}

#pragma upc c_code
int shared(int strict) { return strict; }
void c(void)
{
    upc_barrier(); //~ E0300
    THREADS; //~ E0300
}
#pragma upc upc_code
#pragma upc c_code
#pragma upc upc_code
void upc(int THREADS); //~ E0100
