// W0713 with a static number of threads: a distance of whole rounds leads to the same thread.
// flags: -T=4
#include <upc.h>
#define N 128

shared int a[N];
shared [4] int blocks[N];

void f(void)
{
    int i;
    upc_forall (i = 3; i < N; i++; i)
        a[i] = a[i - 3]; //~ W0713
    upc_forall (i = 8; i < N; i++; &blocks[i])
        blocks[i] = blocks[i - 8]; //~ W0713
    // Silent.
    upc_forall (i = 4; i < N; i++; i)
        a[i] = a[i - 4];
    upc_forall (i = 16; i < N; i++; &blocks[i])
        blocks[i] = blocks[i - 16];
}
