// W0709: barriers and collective operations that some threads do not reach.
#include <upc.h>
#include <stdlib.h>

shared int a[10 * THREADS];
shared void *p;
void work(void);
void synchronises(void);

void wrong(int n)
{
    int me = MYTHREAD, i;
    if (MYTHREAD == 0)
        upc_barrier; //~ W0709 @9 only threads with `MYTHREAD == 0` reach this upc_barrier
    n = 1;
    {
        if (me) {
            a[me] = 1;
            upc_notify; //~ W0709 @13 upc_notify
            upc_wait;
        } else
            a[0] = 2;
    }
    for (i = 0; i < n; i++)
        if (!MYTHREAD) {
            a[i] = 0;
        } else {
            upc_barrier i; //~ W0709 @13
        }
    {
        if (MYTHREAD % 2 == 0 && n > 1)
            p = upc_all_alloc(THREADS, 10); //~ W0709 @17 upc_all_alloc
    }
    while (n--)
        if (MYTHREAD == THREADS - 1)
            upc_forall (i = 0; i < 10; i++; &a[i]) //~ W0709 @13 its other iterations never run
                a[i] = n;
    switch (n) {
    case 1:
        if (upc_threadof(&a[n]) == MYTHREAD) {
            upc_barrier 1; //~ W0709 the two branches synchronise in different ways
            upc_barrier 2;
        } else
            upc_barrier 1;
    }
}

// Silent: every thread comes to a barrier, or may.
int right(int n)
{
    int me = MYTHREAD, other = MYTHREAD;
    other = n;
    if (MYTHREAD == 0) {
        a[0] = 1;
        upc_barrier;
    } else {
        upc_barrier;
    }
    if (MYTHREAD == 0) {
        upc_notify;
        a[0] = 1;
        upc_wait;
    } else
        upc_barrier;
    if (n > 3)
        upc_barrier;
    if (other == 0)
        upc_barrier;
    if (a[MYTHREAD])
        upc_barrier;
    if (THREADS == 1)
        upc_barrier;
    if (MYTHREAD < THREADS)
        upc_barrier;
    {
        if (me == 0)
            upc_barrier;
        if (me != 0)
            upc_barrier;
    }
    {
        if (me == 0)
            upc_barrier;
        else
            synchronises();
    }
    {
        if (me == 0)
            upc_barrier;
        if (me > 0)
            synchronises();
    }
    {
        if (me == 0) {
            upc_barrier;
            return 0;
        }
        upc_barrier;
    }
    {
        if (me == 0) {
            for (int i = 0; i < n; i++)
                upc_barrier;
        } else {
            while (n--)
                upc_barrier;
        }
    }
    {
        if (me == 0) {
            upc_barrier;
            exit(1);
        }
        upc_barrier;
    }
    if (me == 0)
        upc_forall (int i = 0; i < 10; i++; continue)
            a[i] = n;
    if (me == 0)
        upc_fence;
    else if (me == 1)
        work();
    for (int i = MYTHREAD; i < n; i += THREADS)
        upc_barrier;
    return 1;
}
