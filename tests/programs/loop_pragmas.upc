// question: is a pragma, a label or an attribute in front of a loop in front of it still, whatever becomes of the loop?
// flags: -Wno-unknown-pragmas -Wno-all
// counts: UPC_BARRIER=2*THREADS, UPC_FORALL=7*THREADS, UPC_PUT=24*THREADS, UPC_GET=12*THREADS*THREADS+162*THREADS-12
#include "check.h"

#define N (12 * THREADS)

shared int c[N];
shared [4] int b[N];

static int value(int i) { return i % 5; }

static int total(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += value(i);
    return sum;
}

static void loops(void)
{
    int s = 0, i;
    shared [] int *own = (shared [] int *)&c[0], *end = own + 1;
#pragma GCC ivdep
    for (int i = 0; i < 8; i++)
        s += c[i];
    _Pragma("GCC unroll 4") for (int i = 0; i < 8; i++)
        s += c[i];
again:
#pragma GCC unroll 2
    while (i = 0, s < 0)
        s += c[0];
    if (s >= 0)
#pragma GCC ivdep
        do {
            s += c[i];
        } while (++i < 8);
    else
#pragma GCC ivdep
        for (i = 0; i < 8; i++)
            s += c[i];
    CHECK(s == 3 * total(8));
#pragma GCC unroll 2
    for (; own < end; own++)
        s += *own;
#pragma GCC unroll 2
    for (shared [] int *p = end - 1, **q = &p; p < end; p++)
        s += **q;
#pragma GCC ivdep
    for (i = 0; i < 8; i++) {
        int k = i;
        s += c[k];
        if (s == -1)
            goto again;
    }
    CHECK(s == 4 * total(8));
}

/* Loops of a thread's own iterations, which are several in C. */
static void owned(void)
{
    int s = 0, i, mine = 0;
    for (int i = 0; i < N; i++)
        mine += upc_threadof(&c[i]) == MYTHREAD ? value(i) : 0;
#pragma GCC ivdep
    upc_forall (int i = 0; i < N; i++; &c[i])
        s += c[i];
#pragma GCC unroll 2
    upc_forall (i = 0; i < N; i++; i)
        s += c[i];
    CHECK(s == 2 * mine);
#pragma GCC unroll 2
    upc_forall (i = 0; i < N; i++; continue)
        s += c[i];
    CHECK(s == 2 * mine + total(N));
    s = 0;
#pragma GCC ivdep
    upc_forall (i = 1; i < N - 1; i++; &b[i])
        s += b[i - 1] + b[i] - b[i + 1];
#pragma GCC ivdep
    upc_forall (i = N - 2; i >= 1; i--; &b[i])
        s -= b[i - 1] + b[i] - b[i + 1];
    CHECK(s == 0);
}

static void labels(void)
{
    int s = 0, i;
one:
    __attribute__((unused)) for (int i = 0; i < 8; i++) s += c[i];
two:
    __attribute__((unused)) upc_forall (i = 0; i < 8; i++; continue) s += c[i];
three:
    __attribute__((unused))
#pragma GCC ivdep
    upc_forall (int i = 0; i < 8; i++; continue) s += c[i];
    switch (s - 3 * total(8)) {
    case 0:
        s -= 5;
        __attribute__((fallthrough));
    case 1:
        for (int i = 0; i < 8; i++)
            s += c[i];
    default:;
    }
    CHECK(s == 4 * total(8) - 5);
}

int main(void)
{
    for (int i = MYTHREAD; i < N; i += THREADS)
        c[i] = b[i] = value(i);
    upc_barrier;
    loops();
    owned();
    labels();
    return pass();
}
