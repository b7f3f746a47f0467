// question: function pointers, recursion, inline functions, variable arguments and structs by value that carry pointers-to-shared
// counts: UPC_FORALL=THREADS, UPC_BARRIER=2*THREADS, UPC_PUT=16*THREADS, UPC_PUT.remote=0, UPC_GET=24*THREADS, UPC_GET.remote=24*(THREADS-1)
#include "check.h"
#include <stdarg.h>

typedef shared [4] long *pts4;
typedef long (*visitor)(pts4, int);
struct carrier { pts4 p; int n; shared void *g; };
union word { pts4 p; shared int *q; };
shared [4] long a[16 * THREADS];
shared int flat[THREADS];

static long take(pts4 p, int n) { return p[n]; }
static long twice(pts4 p, int n) { return 2 * *(p + n); }
static const visitor visitors[] = { take, twice };
static long apply(visitor v, struct carrier c) { return v(c.p, c.n); }
static struct carrier make(pts4 p, int n) { struct carrier c = { p, n, p }; return c; }
static inline long total(pts4 p, int n) { return n ? *p + total(p + 1, n - 1) : 0; }
static pts4 (*pick(int which))(pts4, int);
static pts4 plus(pts4 p, int n) { return p + n; }
static pts4 minus(pts4 p, int n) { return p - n; }
static pts4 (*pick(int which))(pts4, int) { return which ? minus : plus; }

static long variable(int count, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, count);
    while (count--) {
        pts4 p = va_arg(list, pts4);
        int n = va_arg(list, int);
        struct carrier c = va_arg(list, struct carrier);
        sum += p[n] + *c.p;
    }
    va_end(list);
    return sum;
}

static void fill(pts4 p, long (*value)(int), int n)
{
    int i;
    upc_forall (i = 0; i < n; i++; p + i)
        p[i] = value(i);
}
static long square(int i) { return (long)i * i; }

int main(void)
{
    struct carrier c;
    union word w;
    fill(a, square, 16 * THREADS);
    upc_barrier;
    CHECK(take(a, 3) == 9 && visitors[1](a, 3) == 18 && (*visitors[0])(a + 1, 1) == 4);
    CHECK(apply(take, make(a, 5)) == 25 && make(a + 2, 1).p[1] == 9 && make(a, 0).g == a);
    CHECK(total(a, 10) == 285);
    CHECK(*pick(0)(a, 4) == 16 && *pick(1)(a + 4, 1) == 9);
    CHECK(variable(2, a, 2, make(a + 3, 0), a + 1, 1, make(a, 0)) == 4 + 9 + 4 + 0);
    c = make(a + 7, 2);
    CHECK(*c.p == 49 && c.p[c.n] == 81 && upc_phaseof(c.p) == 3);
    w.p = c.p;
    CHECK(w.p == c.p && *w.p == 49);
    w.q = flat;
    CHECK(w.q == flat && upc_phaseof(w.q) == 0);
    return pass();
}
