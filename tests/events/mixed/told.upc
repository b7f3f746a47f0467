#include <upc.h>

extern shared int a[THREADS];
extern void untold(int n);

void told(int n)
{
    a[(MYTHREAD + 1) % THREADS] = n;
    upc_barrier n;
    if (n > 0)
        untold(n - 1);
}
