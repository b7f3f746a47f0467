// UPC 6.4.3 p4: a pointer-to-shared is cast to a pointer-to-local on the thread that the object has affinity to.

shared int a[2 * THREADS];

void f(void)
{
    int *own = (int *)&a[MYTHREAD];
    int *next = (int *)&a[MYTHREAD + 1]; //~ W0614 @17 affinity to another thread
    own[0] = next[0];
}
