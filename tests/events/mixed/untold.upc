#include <upc.h>

shared int a[THREADS];
extern void told(int n);

void untold(int n)
{
    a[(MYTHREAD + 1) % THREADS] = n;
    upc_barrier 10 + n;
    if (n > 0)
        told(n - 1);
}
