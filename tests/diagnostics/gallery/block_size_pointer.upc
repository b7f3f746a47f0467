// A layout qualifier behind the `*`
#include <upc.h>
#define N 100
shared [10] double a[N * THREADS];

double first(void)
{
    double shared [10] *p = a;
    shared double *[10] q = a; //~ E0100 @20
    return *p + *q;
}
