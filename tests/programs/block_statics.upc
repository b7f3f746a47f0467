// question: do mentions of a static object in a block reach it, where the program's start gives it its value: in all kinds of expressions, sizes and types?
#include <stdbool.h>

#include "check.h"

shared int a[3 * THREADS];
struct pair { shared int *p; int n; };

static int counts(void)
{
    static int n = THREADS;
    static bool set = a, unset = (shared int *)0;
    static long size = sizeof a;
    __typeof__(n) more = n++;
    CHECK(set && !unset && size == 3L * THREADS * (long)sizeof(int) && sizeof n == sizeof(int) && sizeof(n + 1L) == 8);
    {
        int *at = &n, size = 3;
        *at += size;
    }
    return n + more;
}

static struct pair *pairs(int i)
{
    static struct pair one = {&a[1], 7}, *self = &one, many[3] = {{a, 1}, {&a[2], 2}};
    static const struct pair fixed = {&a[2], 9};
    static struct { struct pair *next; shared int *p; } ring = {&many[1], a};
    CHECK(one.n >= 7 && self == &one && self->p == &a[1] && ring.next->n == 2 && fixed.n == 9 && fixed.p == &a[2]);
    switch (i) {
    case sizeof many / sizeof *many:
        return &one;
    default:
        one.n++;
        return i ? many + i : &many[0];
    }
}

int main(void)
{
    CHECK(counts() == 2 * THREADS + 4 && counts() == 2 * THREADS + 12);
    CHECK(pairs(3)->n == 7 && pairs(1)->p == &a[2] && pairs(0)->n == 1 && pairs(2)->p == 0 && pairs(3)->n == 10);
    return pass();
}
