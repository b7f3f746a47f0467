// question: upc_forall runs each iteration on the thread its affinity names, once; all clauses on every thread; nesting has one controlling loop
// counts: UPC_FORALL=33*THREADS+2*(THREADS==1), UPC_BARRIER=18*THREADS, UPC_PUT.remote=0
#include "check.h"

#define N 13
shared int hits[N * THREADS];
shared [3] int blocked[3 * N * THREADS];
shared [] int at_zero[N];
shared int count[THREADS];
static int calls;

static int tick(int value) { calls++; return value; }

/* A forall reached through a call is controlled by the caller's. */
static int inner(void)
{
    int j, n = 0;
    upc_forall (j = 0; j < N; j++; j)
        n++;
    return n;
}

/* A body that leaves no trace of a forall for the next one. */
static int plain_loop(void)
{
    int i, n = 0;
    upc_forall (i = 0; i < 2 * THREADS; i++; i) {
        if (i < THREADS)
            continue;
        n++;
    }
    CHECK(i == 2 * THREADS);
    return n;
}

static int returns_early(int limit)
{
    int i;
    upc_forall (i = 0; i < 100; i++; continue)
        if (i == limit)
            return i;
    return -1;
}

static int leaves_by_return(void)
{
    int i;
    upc_forall (i = 0; i < THREADS; i++; i)
        return i;
    return -1;
}

static int leaves_by_goto(void)
{
    int i, j;
    upc_forall (i = 0; i < THREADS; i++; i)
        for (j = 0; j < 9; j++)
            if (j == 3)
                goto out;
out:
    return j;
}

static int own_iterations(void)
{
    int i, n = 0;
    upc_forall (i = 0; i < 2 * THREADS; i++; i)
        n++;
    return n;
}

static void verify(int expected)
{
    int e;
    upc_barrier;
    for (e = 0; e < N * THREADS; e++)
        CHECK(hits[e] == expected);
    upc_barrier;
}

int main(void)
{
    int i, j, n, sum;
    shared int *p;
    shared [3] int *b;

    upc_forall (i = 0; i < N * THREADS; i++; i) {
        CHECK(i % THREADS == MYTHREAD);
        hits[i]++;
    }
    CHECK(i == N * THREADS);
    verify(1);
    upc_forall (int k = 0; k < N * THREADS; k++; &hits[k]) {
        CHECK(upc_threadof(&hits[k]) == MYTHREAD);
        hits[k]++;
    }
    verify(2);
    upc_forall (i = N * THREADS - 1; i >= 0; i--; hits + i)
        hits[i]++;
    verify(3);
    upc_forall (i = 0, p = hits; i < N * THREADS; i++, p++; p)
        ++*p;
    verify(4);
    upc_forall (i = 0; i < 3 * N * THREADS; i++; i / 3)
        blocked[i] = MYTHREAD;
    upc_barrier;
    for (i = 0, b = blocked; i < 3 * N * THREADS; i++, b++)
        CHECK(*b == upc_threadof(b));
    upc_barrier;
    upc_forall (long long k = 0; k < 3LL * N * THREADS; k += 2; &blocked[k])
        blocked[k] += 100;
    upc_barrier;
    for (i = 0; i < 3 * N * THREADS; i++)
        CHECK(blocked[i] == upc_threadof(&blocked[i]) + (i % 2 ? 0 : 100));
    upc_barrier;
    n = 0;
    upc_forall (i = 0; i < N; ++i; &at_zero[i])
        at_zero[i] = ++n;
    CHECK(n == (MYTHREAD == 0 ? N : 0));

    /* No affinity, continue, empty clauses. */
    n = 0;
    upc_forall (i = 0; i < N; i++; continue)
        n++;
    upc_forall (i = 0; i < N; i++;)
        n++;
    i = 0;
    upc_forall (;;;) {
        if (++i == 5)
            break;
        n++;
    }
    i = 0;
    upc_forall (; i < 2 * THREADS; ; i++)
        n++;
    CHECK(n == 2 * N + 4 + 2);

    /* Every thread evaluates every clause. */
    calls = 0;
    n = 0;
    upc_forall (i = tick(0); tick(i < 10); tick(i++); tick(i))
        n++;
    CHECK(calls == 1 + 11 + 10 + 10);
    CHECK(n == (10 + THREADS - 1 - MYTHREAD) / THREADS);

    /* Nested: the outermost loop with an affinity controls. */
    n = 0;
    upc_forall (i = 0; i < 2; i++; continue)
        upc_forall (j = 0; j < THREADS; j++; j)
            upc_forall (int k = 0; k < 3; k++; &hits[k])
                n++;
    CHECK(n == 2 * 3);
    n = 0;
    upc_forall (i = 0; i < THREADS; i++; i)
        n += inner();
    CHECK(n == N && inner() == (N + THREADS - 1 - MYTHREAD) / THREADS);
    CHECK(plain_loop() == 1);

    /* Leaving by break and goto, then another loop works as before. */
    if (THREADS == 1) {
        upc_forall (i = 0; i < 10; i++; i)
            if (i == 3)
                break;
        CHECK(i == 3);
        upc_forall (i = 0; i < 10; i++; i)
            for (;;)
                if (i == 4)
                    goto out;
                else
                    break;
    out:
        CHECK(i == 4);
    }
    CHECK(returns_early(7) == 7 && returns_early(200) == -1);
    CHECK(leaves_by_return() == MYTHREAD && own_iterations() == 2);
    CHECK(leaves_by_goto() == 3 && own_iterations() == 2);
    CHECK(plain_loop() == 1 && inner() == (N + THREADS - 1 - MYTHREAD) / THREADS);

    /* Bodies that change what the bounds look at, unsigned and negative counters. */
    n = 0;
    int limit = 20;
    upc_forall (i = 0; i < limit; i++; continue)
        if (i % 2)
            limit--, n++;
    CHECK(i == 14 && limit == 13 && n == 7);
    sum = 0;
    upc_forall (unsigned k = 4 * THREADS; k-- > 0;; k)
        sum += k;
    count[MYTHREAD] = sum;
    upc_barrier;
    for (i = 0, sum = 0; i < THREADS; i++)
        sum += count[i];
    CHECK(sum == 4 * THREADS * (4 * THREADS - 1) / 2);
    upc_barrier;
    /* An affinity that does not follow the loop, a shared counter's copy, a step of several. */
    n = 0;
    upc_forall (i = 0; i < 6 * THREADS; i += 3; i * i + 1)
        n += (i * i + 1) % THREADS == MYTHREAD;
    count[MYTHREAD] = n;
    upc_barrier;
    for (i = 0, sum = 0; i < THREADS; i++)
        sum += count[i];
    CHECK(sum == 2 * THREADS);
    upc_barrier;
    upc_forall (i = 0; i < N; i++; blocked[i] * 0 + i)
        hits[i] = 8;
    upc_barrier;
    for (i = 0; i < N; i++)
        CHECK(hits[i] == (i < N * THREADS ? 8 : 0));
    return pass();
}
