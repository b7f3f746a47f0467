// question: every side effect in an operand of a shared access happens exactly once, whatever the operator
// counts: UPC_BARRIER=3*THREADS
#include "check.h"

#define N 8
shared int a[N * THREADS];
shared double d[N * THREADS];
shared unsigned char bytes[N * THREADS];
shared [] int *shared ptrs[THREADS];
static int calls;

static int next(void) { return calls++; }
static shared int *place(int n) { calls++; return &a[n]; }

int main(void)
{
    int i, n = 0, me = MYTHREAD;
    shared int *p;
    int *local;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) {
        a[i] = i;
        d[i] = i;
        bytes[i] = 250;
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        a[n++] += 10;
        CHECK(n == 1 && a[0] == 10);
        a[n++]++;
        CHECK(n == 2 && a[1] == 2);
        CHECK(a[n++]-- == 2 && n == 3 && a[2] == 1);
        CHECK(--a[n++] == 2 && n == 4);
        CHECK((a[next()] *= 3) == 30 && calls == 1);
        CHECK((a[next()] <<= 2) == 8 && (a[next()] |= 6) == 7 && calls == 3);
        *place(3) += 5;
        CHECK(calls == 4 && a[3] == 7);
        (*place(3))++;
        CHECK(calls == 5 && a[3] == 8 && *place(3) == 8 && calls == 6);
        a[0] = a[1] = a[2] = next();
        CHECK(calls == 7 && a[0] == 6 && a[1] == 6 && a[2] == 6);
        a[(a[0] = 1, next() - 7)] = a[1] + (a[1] = 3, 1);
        CHECK(calls == 8);
        p = a;
        *p++ = 5;
        *++p = 6;
        CHECK(p == a + 2 && a[0] == 5 && a[2] == 6);
        *p-- -= 1;
        CHECK(p == a + 1 && a[2] == 5);
        p += next() - 8;
        CHECK(p == a + 1 && calls == 9);
        /* Types of compound assignment: computed in the operands' common type, stored in the place's. */
        CHECK((bytes[0] += 10) == 4 && ++bytes[1] == 251 && bytes[1]++ == 251 && (bytes[1] /= 1.5) == 168);
        d[0] = 1;
        CHECK((d[0] /= 4) == 0.25 && d[0]++ == 0.25 && --d[0] == 0.25 && (d[0] += 1) == 1.25);
        a[0] = 7;
        CHECK((a[0] += 0.9) == 7 && (a[0] /= 2.0) == 3 && (a[0] %= 2) == 1 && (a[0] -= 3u) == -2 && (a[0] >>= 1) == -1);
        CHECK((a[0] &= 0xff) == 255 && (a[0] ^= 1) == 254);
        /* Conditional, comma, logical. */
        CHECK((n > 2 ? a[1] : a[next()]) == a[1] && calls == 9);
        *(n > 2 ? &a[4] : place(0)) = 40;
        CHECK(a[4] == 40 && calls == 9);
        CHECK((a[4] = 41, a[4]) == 41 && (a[4] && a[5] || a[next()]) && calls == 9);
        CHECK((0 && a[next()]) == 0 && calls == 9 && (a[0] ?: a[next()]) == 254 && calls == 9);
        a[5] = a[4] == 41 ? a[0] > 3 && !a[6] ? 1 : 2 : 3;
        CHECK(a[5] == 2);
        (void)(a[5] = 1), (void)a[5];
        a[a[a[5]] = 1] = 9;
        CHECK(a[1] == 9 || a[1] == 1);
        /* A private pointer moved inside a shared lvalue, a shared index, a shared bound. */
        local = &n;
        n = 0;
        a[(*local)++] = 3;
        CHECK(n == 1 && a[0] == 3 && a[a[0]] == a[3]);
        for (n = 0; n < a[0]; n++)
            ;
        CHECK(n == 3);
        do
            a[0]--;
        while (a[0]);
        switch (a[0]) {
        case 0: a[0] = 17; break;
        default: CHECK(0);
        }
        CHECK(a[0] == 17 && -a[0] == -17 && ~a[0] == ~17 && !a[0] == 0 && +a[0] == 17);
    }
    ptrs[me] = (shared [] int *)&a[me];
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        shared [] int *shared *q = ptrs;
        a[0] = 100;
        *ptrs[0] += 1;
        ++*ptrs[0];
        (*ptrs[0])++;
        *(*q)-- += 1;
        CHECK(a[0] == 104 && ptrs[0] == (shared [] int *)&a[0] - 1);
        (*q)++;
        CHECK((*q++)[0] == 104 && q == ptrs + 1);
    }
    return pass();
}
