#include <upc.h>

extern shared int a[THREADS];
extern void uninstrumented(int n);

void instrumented(int n)
{
    a[(MYTHREAD + 1) % THREADS] = n;
    upc_barrier n;
    if (n > 0)
        uninstrumented(n - 1);
}
