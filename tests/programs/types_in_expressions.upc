// question: structures, unions and enumerations that are defined within expressions, with and without tags, beside shared accesses: each is defined once, and known to what follows
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=1, UPC_GET=9*THREADS, UPC_GET.remote=9*(THREADS-1)
#include "check.h"
#include <stddef.h>

shared int x;
int g = sizeof(struct outside { int q[3]; });
struct outside out = { { 1, 2, 3 } };
enum { LAST = sizeof(enum { FIRST = 4, SECOND }) + SECOND };

static int compound_literals(void)
{
    int n = ((struct tagged { int k; }) { x }).k + (struct { int k; }) { x }.k;
    struct tagged later = { 1 };
    if (n)
        n += ((union here { shared int *p; long l; }) { &x }).p == &x;
    else
        n += (union here { int i; }) { x }.i + (enum colour { RED, GREEN }) x == GREEN;
    n += sizeof(union here { shared int *p; }) / sizeof(shared int *);
    for (int i = (struct { int k; }) { x }.k; i < 5; i++)
        n += later.k;
    while (n < 10)
        n += (enum colour { RED, GREEN = 2 }) x == GREEN;
    return n;
}

static int sizes(void)
{
    int n = sizeof(struct pair { int a, b; }) + x;
    struct pair pair = { 1, 2 };
    n += x + (int) offsetof(struct at { char c; int d; }, d);
    struct at at = { 'c', 7 };
    n += x + _Alignof(struct aligned { double d; }) / sizeof(struct aligned);
    __typeof__(struct typed { int y; }) typed = { x };
    struct typed other = typed;
    switch (n) {
    case sizeof(struct labelled { char c[16]; }) + sizeof(shared int[2]):
        n = sizeof(struct labelled);
        break;
    default:
        n += ((struct cast { int m; } *) &pair)->m + x;
    }
    return n + pair.b + at.d + other.y;
}

int main(void)
{
    if (MYTHREAD == 0)
        x = 2;
    upc_barrier;
    CHECK(g == 12 && out.q[2] == 3 && LAST == 9);
    CHECK(compound_literals() == 10);
    CHECK(sizes() == 33);
    return pass();
}
