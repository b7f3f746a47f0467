// question: what the body of a loop declares is its own, in each version that the compiler makes of the loop
// flags: -Wno-all
// counts: UPC_BARRIER=4*THREADS, UPC_FORALL=3*THREADS, UPC_PUT=24*THREADS, UPC_PUT.remote=0, UPC_GET=12*THREADS*THREADS+266*THREADS
#include "check.h"
#include <setjmp.h>

#define N (12 * THREADS)

shared int c[N];
shared [4] int b[N];
typedef shared [] int *own_t;
own_t dir[4];
static int lim = 1;

static int value(int i) { return i * 7 % 11; }

static int up_to(int first, int last)
{
    int sum = 0;
    for (; first < last; first++)
        sum += value(first);
    return sum;
}

/* Indices, with and without an outer variable of the name; in blocks inside, in statement expressions, in the clause of a loop. */
static void indices(void)
{
    int s = 0, k = 5;
    for (int i = 0; i < 8; i++) {
        int q = i;
        s += c[q];
    }
    for (int i = 0; i < 8; i++) {
        int k = i + 1;
        s += c[k];
    }
    CHECK(s == up_to(0, 8) + up_to(1, 9) && k == 5);
    s = 0;
    for (int i = 0; i < 8; i++) {
        int k = 2 * i;
        {
            int q = k / 2;
            s += c[q + 2];
        }
    }
    for (int i = 0; i < 8; i++)
        s += ({ int k = i + 1; c[k]; });
    CHECK(s == up_to(2, 10) + up_to(1, 9));
    s = 0;
    for (int i = 0, n = 4; i < n; i++) {
        int n = 3;
        s += c[i + n];
    }
    for (int i = 0; i < 4; i++) {
        s += c[k];
        int k = i;
        s += k;
    }
    CHECK(s == up_to(3, 7) + 4 * value(5) + 6);
    s = 0;
    upc_forall (int i = 0; i < N; i++; &c[i]) {
        int k = i;
        s += c[k] - c[i];
    }
    CHECK(s == 0);
}

/* Pointers-to-shared. */
static void pointers(void)
{
    int s = 0, i;
    own_t f = (own_t)&c[1];
    for (i = 0; i < 4; ++i) {
        own_t f = dir[i];
        s += f[0];
    }
    i = 0;
    do {
        own_t p = (own_t)&c[i];
        s += *p;
    } while (++i < 4);
    while (i-- > 0) {
        own_t p = dir[i];
        s += *p;
    }
    for (own_t p = (own_t)&c[0], end = p + 1; p < end; p++)
        s += *p;
    CHECK(s == 3 * up_to(0, 4) && f[0] == value(1));
    s = 0;
    for (int i = 0; i < 4; i++) {
        shared int *p = &c[i];
        for (int j = 0; j < 3; j++)
            s += p[j];
    }
    CHECK(s == up_to(0, 3) + up_to(1, 4) + up_to(2, 5) + up_to(3, 6));
    s = 0;
    shared int *p = c;
    upc_forall (int i = 0; i < N; i++; &p[i]) {
        s += p[i];
        shared int *p = &c[0];
        s -= p[i];
    }
    CHECK(s == 0);
}

static void raise(int *unused)
{
    (void)unused;
    lim += lim < 9;
}

/* What an index's text names, arrays of variable length, functions at the end of a scope. */
static void other_names(void)
{
    int s = 0, m = 1;
    char k = 0;
    for (int i = 0; i < 8; i++) {
        int k[2];
        s += c[i + sizeof k / sizeof *k];
    }
    CHECK(s == up_to(2, 10) && k == 0);
    s = 0;
    for (int i = 0; i < m; i++) {
        int v[m < 6 ? m++ : m];
        v[0] = i;
        s += c[i] + v[0];
    }
    CHECK(s == up_to(0, 6) + 15);
    s = 0;
    for (int i = 0; i < 4; i++) {
        shared int *v[m];
        v[i] = &c[i];
        __typeof__(v) w;
        w[0] = v[i];
        s += *w[0] - c[i] + (int)(sizeof w / sizeof *w);
    }
    CHECK(s == 24);
    s = 0;
    for (int i = 0; i < lim; i++) {
        int k __attribute__((cleanup(raise))) = i;
        s += c[k];
    }
    CHECK(s == up_to(0, 9));
    upc_forall (int i = 0; i < N; i++; &b[i]) {
        shared int *v[m];
        struct { shared int *p; int k; } x = {&c[i], i};
        v[2] = x.p;
        __typeof__(v) w;
        w[0] = v[2];
        b[i] = *w[0] + x.k - i;
    }
    upc_barrier;
    for (int i = 0; i < N; i++)
        CHECK(b[i] == value(i));
    upc_barrier;
}

/* Loops of which there can be one only: entered by a case, with labels, static variables. */
static void single(void)
{
    int s = 0, i = 0, n = THREADS > 0 ? 2 : 1;
    switch (n) {
    case 1:
        for (; i < 4; i++) {
            s += c[i];
    case 2:
            s += c[i + 1];
        }
    }
    CHECK(s == up_to(1, 4) + up_to(1, 5));
    s = 0;
    for (int i = 0; i < 8; i++) {
        static int calls;
        calls++;
        s += c[i] + calls;
    }
    CHECK(s == up_to(0, 8) + 36);
    s = i = 0;
again:
    for (int i = 0; i < 4; i++)
        s += c[i];
    if (i++ < 1)
        goto again;
    for (int i = 0; i < 4; i++) {
        __label__ next;
        if (i == 2)
            goto next;
        s += c[i];
    next:;
    }
    CHECK(s == 3 * up_to(0, 4) - value(2));
}

/* Bounds that wrap around, counters that others may look at, calls that come back twice. */
static void counters(void)
{
    static jmp_buf back;
    static volatile int s;
    s = 0;
    for (int i = -5; i < 4294967294u; i++)
        s += c[i + 5];
    CHECK(s == up_to(0, 3));
    s = 0;
    for (volatile int i = 0; i < 8; i++)
        s += c[i];
    CHECK(s == up_to(0, 8));
    s = 0;
    for (int i = 0; i < 40; i++) {
        volatile int k = i;
        if (setjmp(back) == 0 && k % 3 == 0)
            longjmp(back, 1);
        s += c[1];
    }
    CHECK(s == 40 * value(1));
}

/* Parts of what the body declares: elements, members, elements of members, and what a pointer to them leads to. */
static void parts(void)
{
    int s = 0;
    for (int i = 0; i < 8; i++) {
        int a[2] = { i, i + 1 };
        s += c[a[1]];
    }
    for (int i = 0; i < 8; i++) {
        struct { int k, other; } x = { .other = i };
        s += c[x.other];
    }
    for (int i = 0; i < 8; i++) {
        struct { int k, v[2]; } x = { i, { i, i + 2 } };
        s += c[x.v[1]];
    }
    for (int i = 0; i < 8; i++) {
        int a[2] = { i, i }, *p = a;
        s += c[p[1]];
    }
    CHECK(s == 2 * up_to(0, 8) + up_to(1, 9) + up_to(2, 10));
}

int main(void)
{
    for (int i = MYTHREAD; i < N; i += THREADS)
        c[i] = value(i);
    for (int i = 0; i < 4; i++)
        dir[i] = (own_t)&c[i];
    upc_barrier;
    indices();
    pointers();
    other_names();
    single();
    counters();
    parts();
    return pass();
}
