// W0707: an affinity that each thread computes differently.
#include <upc.h>

shared int a[10 * THREADS], owner[10 * THREADS];
static int rank(int thread);

void f(int n)
{
    int i, me = MYTHREAD;
    upc_forall (i = 0; i < n; i++; MYTHREAD) //~ W0707 @36 the affinity `MYTHREAD` depends on MYTHREAD
        a[i] = i;
    upc_forall (i = 0; i < n; i++; i + MYTHREAD) //~ W0707
        a[i] = i;
    upc_forall (i = 0; i < n; i++; &a[MYTHREAD]) //~ W0707
        a[i] = i;
    upc_forall (i = 0; i < n; i++; &a[me + i]) // Silent: `me` changes below.
        a[i] = i;
    // Silent: what is read or computed may be the same everywhere.
    upc_forall (i = 0; i < n; i++; rank(MYTHREAD) + i)
        a[i] = i;
    upc_forall (i = 0; i < n; i++; owner[me] + i)
        a[i] = i;
    me = 0;
}

void g(int n)
{
    int me = MYTHREAD;
    for (int i = me; i < n; i += THREADS)
        upc_forall (int j = 0; j < n; j++; &a[j])
            a[j] = me;
    int other = MYTHREAD;
    upc_forall (int i = 0; i < n; i++; &a[other + i]) //~ W0707
        a[i] = i;
}
