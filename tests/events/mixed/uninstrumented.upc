#include <upc.h>

shared int a[THREADS];
extern void instrumented(int n);

void uninstrumented(int n)
{
    a[(MYTHREAD + 1) % THREADS] = n;
    upc_barrier 10 + n;
    if (n > 0)
        instrumented(n - 1);
}
