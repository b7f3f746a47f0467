// question: old-style definitions with pointers-to-shared, implicit int, functions without prototypes
// flags: -std=gnu89 -w
// counts: UPC_FORALL=2*THREADS, UPC_BARRIER=2*THREADS, C_FUNC=5*THREADS, UPC_PUT=8*THREADS, UPC_PUT.remote=0, UPC_GET=8*THREADS*THREADS, UPC_GET.remote=8*THREADS*(THREADS-1)
#include "check.h"

shared int a[4 * THREADS];
shared [2] int b[4 * THREADS];

int sum(p, n, q)
shared int *p;
int n;
shared [2] int *q;
{
    int i, s = 0;
    for (i = 0; i < n; i++)
        s += p[i] + q[i];
    return s;
}

static shared int *advance(p, c) register shared int *p; char c; { return p + c; }

later(f)
float f;
{
    return f > 1.0f;
}

main()
{
    int i;
    upc_forall (i = 0; i < 4 * THREADS; i++; i)
        a[i] = 1;
    upc_forall (i = 0; i < 4 * THREADS; i++; &b[i])
        b[i] = 2;
    upc_barrier;
    CHECK(sum(a, 4 * THREADS, b) == 12 * THREADS);
    CHECK(advance(a, 3) == &a[3] && later(1.5) == 1);
    return pass();
}
