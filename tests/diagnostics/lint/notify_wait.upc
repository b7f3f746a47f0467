// W0710: upc_notify and upc_wait that do not alternate.
#include <upc.h>
#include <stdio.h>

shared int a[10 * THREADS];
shared void *p;
void may_wait(void);

void wrong(void)
{
    upc_notify;
    a[MYTHREAD] = 1;
    upc_barrier; //~ W0710 @5 upc_barrier between a upc_notify and its upc_wait
    {
        upc_notify 1;
        printf("x\n");
        upc_notify 2; //~ W0710 @9 upc_notify between
    }
    {
        upc_barrier;
        a[MYTHREAD] = 1;
        upc_wait; //~ W0710 @9 upc_wait without a upc_notify before it
    }
    {
        upc_notify;
        p = upc_all_alloc(THREADS, 8); //~ W0710 @13 `upc_all_alloc` between
        upc_wait;
    }
    {
        upc_notify;
        upc_wait;
        upc_wait; //~ W0710 @9
    }
}

// Silent: they alternate, or may.
void right(int n)
{
    int i;
    upc_notify;
    upc_forall (i = 0; i < 10; i++; &a[i])
        a[i] = n;
    for (i = 0; i < n; i++)
        a[MYTHREAD] += i;
    upc_wait;
    upc_barrier;
    upc_notify;
    may_wait();
    upc_barrier;
    upc_notify;
    if (n)
        upc_wait;
    else {
        a[MYTHREAD] = 0;
        upc_wait;
    }
    upc_notify;
    n += 1;
    upc_wait;
    p = upc_all_alloc(THREADS, 8);
    upc_notify;
    while (n--) {
        upc_wait;
        a[MYTHREAD]++;
        upc_notify;
    }
    upc_wait;
}
