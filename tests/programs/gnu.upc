// question: GNU C around shared data: statement expressions, typeof, __auto_type, case ranges, computed goto, nested conditionals, asm
// flags: -w
// counts: UPC_BARRIER=3*THREADS, UPC_PUT=10*THREADS+3
#include "check.h"

shared int a[8 * THREADS];
static shared [] int *gp;
struct __attribute__((packed)) tight { char c; int i; };
shared struct tight t[THREADS];
shared int wide[THREADS] __attribute__((aligned(64)));
#define MAX(x, y) ({ __typeof__(+(x)) x_ = (x); __typeof__(+(y)) y_ = (y); x_ > y_ ? x_ : y_; })
#define SWAP(x, y) do { __typeof__(+(x)) s_ = (x); (x) = (y); (y) = s_; } while (0)

int main(void)
{
    int i, n = 0;
    __auto_type p = &a[1];
    __typeof__(a[0]) *same = a;
    __typeof__(&a[0]) q = p + 1;
    static void *labels[] = { &&zero, &&one };
    for (i = MYTHREAD; i < 8 * THREADS; i += THREADS)
        a[i] = i;
    t[MYTHREAD].c = 1;
    t[MYTHREAD].i = 0x01020304;
    upc_barrier;
    CHECK(*p == 1 && *q == 2 && same == a);
    CHECK(({ int s = a[2]; s += a[3]; s; }) == 5 && MAX(a[3], a[4]) == 4 && ({ &a[5]; })[1] == 6);
    CHECK(t[THREADS - 1].i == 0x01020304 && sizeof(struct tight) == 5 && upc_elemsizeof(t) == 5);
    CHECK(upc_addrfield(&wide[0]) % 64 == 0);
    switch (a[5]) {
    case 0 ... 4: CHECK(0);
    case 5 ... 9: n = 1;
    }
    goto *labels[a[1]];
zero:
    CHECK(0);
one:
    CHECK(n == 1);
    upc_barrier;
    if (MYTHREAD == 0) {
        SWAP(a[0], a[7]);
        CHECK(a[0] == 7 && a[7] == 0);
        ({ a[1]; }) == 1 ? (void)(a[1] = 10) : (void)(a[1] = 20);
        CHECK(a[1] == 10);
        __asm__ volatile("" : "=r"(n) : "0"(a[1]));
        CHECK(n == 10);
    }
    {
        int vla[a[3]];
        CHECK(sizeof vla == 3 * sizeof(int));
        vla[a[2]] = 4;
        CHECK(vla[2] == 4);
    }
    CHECK(__builtin_choose_expr(1, a[4], 0) == 4 && __builtin_constant_p(3) && __builtin_expect(a[4], 4) == 4);
    CHECK(_Generic(a[0], int: 1, default: 2) == 1 && __extension__ a[4] == 4);
    CHECK(__func__[0] == 'm' && sizeof(a[0]) == sizeof(int));
    return pass();
}
