// question: is a product in which THREADS stands once the same size in every spelling, without static THREADS too?
// flags: -Wno-upc-threads-product
// counts: UPC_BARRIER=2*THREADS, UPC_FORALL=THREADS, UPC_PUT=30*THREADS, UPC_PUT.remote=0, UPC_GET=30*THREADS*THREADS, UPC_GET.remote=30*THREADS*(THREADS-1)
#include "check.h"

enum { TWO = 2 };
shared int plain[6 * THREADS];
shared int a[2 * THREADS * 3], b[2 * (THREADS * 3)], c[THREADS * TWO * 3], d[(3 * TWO) * (THREADS)], e[(3 * (TWO * (THREADS)))];
shared [4] struct { char c; long l; } rows[2 * THREADS * 2][sizeof(long) / 4];

#define SAME(x) CHECK(sizeof(x) == sizeof plain)

int main(void)
{
    SAME(a); SAME(b); SAME(c); SAME(d); SAME(e);
    CHECK(sizeof rows == 8 * sizeof rows[0][0] * THREADS);
    int i;
    upc_forall (i = 0; i < 6 * THREADS; i++; &a[i])
        a[i] = i, b[i] = 2 * i, c[i] = 3 * i, d[i] = 4 * i, e[i] = 5 * i;
    upc_barrier;
    for (i = 0; i < 6 * THREADS; i++)
        CHECK(a[i] == i && b[i] == 2 * i && c[i] == 3 * i && d[i] == 4 * i && e[i] == 5 * i);
    CHECK(upc_threadof(&a[6 * THREADS - 1]) == THREADS - 1 && upc_threadof(&rows[3][1]) == 7 / 4 % THREADS);
    return pass();
}
