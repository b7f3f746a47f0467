// UPC 6.6.2 p5: the affinity has the same value on every thread.

shared int a[THREADS];

void f(int n)
{
    for (int i = 0; i < n; i++)
        upc_forall (int j = 0; j < n; j++; i + j)
            a[j] = i;
    upc_forall (int i = 0; i < n; i++; i + MYTHREAD) //~ W0707 @40 the affinity `i + MYTHREAD` depends on MYTHREAD: each thread gets a different value, so an iteration may run on several threads or on none
        a[i] = i;
}
