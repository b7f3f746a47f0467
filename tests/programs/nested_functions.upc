// question: functions inside functions (GNU), with UPC in the inner, the outer or both: variables around, loops, recursion, K&R lists; clang has none
// flags: -Wno-return-type
#include "check.h"

#ifdef __clang__
int main(void) { return pass(); }
#else
#define N (8 * THREADS)
shared int a[N], b[N];
shared [4] int blocks[N];
shared int *shared list[THREADS];

static int apply(int (*call)(shared int *, int), shared int *p, int n) { return call(p, n); }
static void each(void (*call)(int), int n) { for (int i = 0; i < n; i++) call(i); }

static int inner_has_it(int k)
{
    int add(int i) { return a[i % N] + k; }
    return add(1) + add(2);
}

static int outer_has_it(shared int *p)
{
    int twice(int i) { return 2 * i; }
    return twice(*p) + twice(p[1]);
}

static int both(shared int *p, int n)
{
    auto int later(int);
    int sum = 0;
    shared [4] int *q = blocks;
    int get(shared int *from, int i) { sum += from[i]; q++; return from[i] + n; }
    void step(int i)
    {
        shared int *own = p + i;
        int deeper(void) { return *own + (int)upc_phaseof(q); }
        sum += deeper();
    }
    int s = apply(get, p, 3) + apply(&get, p, 4) + later(5);
    int later(int i) { return i ? *p + later(i - 1) + 1 : 0; }
    each(step, 3);
    return 1000 * s + 10 * sum + (q == blocks + 2);
}

static int loops(int n)
{
    int count = 0, i;
    void controlled(void) { int j; upc_forall (j = 0; j < n; j++; &a[j]) count++; }
    int leaves(void)
    {
        int j;
        upc_forall (j = 0; j < n; j++; j)
            return j;
        return -1;
    }
    controlled();
    upc_forall (i = 0; i < THREADS; i++; i)
        controlled();
    CHECK(leaves() == MYTHREAD);
    controlled();
    upc_forall (i = 0; i < N; i++; &b[i]) {
        int put(int v) { b[i] = v; return i++, v; }
        put(i);
        i--;
    }
    upc_barrier;
    return count;
}

static int old_style(p, n) shared int *p; int n;
{
    int pick(q, i) shared int *q; short i; { static shared int kept; return q[i] + n + kept; }
    char small(c) { return c; }
    return pick(p, 2) + small(256 + 7);
}

static int tags(shared int *p)
{
    struct s { int x; } outer = { 3 };
    int inner(struct s { char c[9]; } *q, shared int *r) { struct s t = *q; return (int)sizeof t + *r + outer.x; }
    struct t { shared int *to; } make(int i) { return (struct t){ p + i }; }
    struct t here = make(2);
    return inner((void *)"123456789", p + 1) + *here.to;
}

/* C alone, as gcc takes it: jumps out, and returns that do not fit the function around. */
static int jumps_out(int k)
{
    __label__ out;
    void deeper(int n) { if (n) deeper(n - 1); else goto out; }
    if (k < 0)
        return;
    if (k == 0)
        return 1;
    deeper(k);
    return 2;
out:
    return 3;
}

static void jumps_out_of_void(int *k)
{
    __label__ out;
    int leave(int i) { if (i) goto out; return i; }
    if (*k)
        return *k;
    *k = leave(0) + 1;
    leave(1);
    *k = 2;
out:
    return;
}

int main(void)
{
    int total = 0;
    void note(int v) { total += v + a[0]; list[MYTHREAD] = &a[v]; }
    int i;
    upc_forall (i = 0; i < N; i++; &a[i])
        a[i] = i;
    upc_barrier;
    CHECK(inner_has_it(10) == 23);
    CHECK(outer_has_it(&a[3]) == 14);
    CHECK(both(&a[1], 100) == 1000 * (104 + 105 + 10) + 10 * (9 + 1 + 2 + 3 + 3 * 2) + 1);
    CHECK(loops(THREADS) == 2 + THREADS);
    for (i = 0; i < N; i++)
        CHECK(b[i] == i);
    CHECK(old_style(a, 5) == 2 + 5 + 7);
    CHECK(tags(a) == 9 + 1 + 3 + 2);
    note(2);
    note(3);
    CHECK(total == 5 && *list[MYTHREAD] == 3);
    int left = 0;
    jumps_out_of_void(&left);
    CHECK(jumps_out(0) == 1 && jumps_out(3) == 3 && left == 1);
    return pass();
}
#endif
