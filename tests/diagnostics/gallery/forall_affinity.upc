// A upc_forall without affinity
#include <upc.h>
#define N 100
shared double a[N * THREADS];

void clear(void)
{
    int i;
    upc_forall (i = 0; i < N * THREADS; i++) //~ E0714 @44
        a[i] = 0;
}
