// question: do loops over sections that break, return or go elsewhere end where C says, with the values that C says?
#include "check.h"
#include <upc_relaxed.h>

#define PER 96

shared [32] int blocked[PER * THREADS];
shared int cyclic[PER * THREADS];
shared [] int *shared rows[THREADS];

static int find_blocked(int from, int n, int value)
{
    for (int i = from; i < n; i++)
        if (blocked[i] == value)
            return i;
    return -1;
}

static int find_cyclic(int n, int value)
{
    int i, calls = 0;

    for (i = 0; i < n; i++) {
        if (cyclic[i] == value)
            break;
        calls++;
    }
    CHECK(calls == i);
    return i;
}

/* The pointer and the counter have the values of the last iteration, which does not make the step. */
static long walk(shared [32] int *p, int n, int value)
{
    shared [32] int *first = p;
    int unused = 0, i = 0;

    while (i < n) {
        if (*p == value)
            break;
        unused += 3;
        p++;
        i++;
    }
    CHECK(p - first == i && unused == 3 * i);
    return i;
}

/* A pointer that the loop only steps. */
static long only_steps(shared [32] int *p, int n)
{
    shared [32] int *first = p;
    int i = 0;

    while (i < n) {
        if (blocked[i] < 0)
            goto out;
        p++;
        i++;
    }
out:
    CHECK(p - first == i);
    p = first;
    i = 0;
    while (i < n) {
        blocked[i] ^= 0;
        p++;
        i++;
    }
    CHECK(p - first == n);
    return i;
}

/* The steps are parts of other expressions: made or not, as the place of the exit says. */
static long steps_within(int n, int value)
{
    shared [32] int *p = &blocked[0];
    int i;

    for (i = 0; i < n; i++)
        if (*p++ == value)
            break;
    CHECK(p - &blocked[0] == i + (i < n));
    p = &blocked[0];
    for (i = 0; i < n; i++) {
        if (i == value)
            break;
        blocked[i] += *p++ & 0;
    }
    return p - &blocked[0];
}

/* Nothing after the exit is accessed, or loaded to find an address: the next row is null. */
static int guarded(int n)
{
    int sum = 0;

    for (int t = 0; t <= THREADS; t++)
        for (int i = 0; i < n; i++) {
            if (t == THREADS)
                return sum;
            sum += rows[t][i];
        }
    return sum;
}

int main(void)
{
    int all = PER * THREADS;

    for (int i = 0; i < PER; i++) {
        blocked[i * THREADS + MYTHREAD] = i * THREADS + MYTHREAD;
        cyclic[i * THREADS + MYTHREAD] = 2 * (i * THREADS + MYTHREAD);
    }
    rows[MYTHREAD] = upc_alloc(10 * sizeof(int));
    for (int i = 0; i < 10; i++)
        rows[MYTHREAD][i] = i;
    upc_barrier;
    for (int i = 0; i < all; i += 13) {
        CHECK(find_blocked(0, all, i) == i);
        CHECK(find_blocked(i + 1, all, i) == -1);
        CHECK(find_cyclic(all, 2 * i) == i && find_cyclic(all, 2 * i + 1) == all);
        CHECK(walk(&blocked[0], all, i) == i && walk(&blocked[i], all - i, -1) == all - i);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        CHECK(only_steps(&blocked[5], all - 5) == all - 5);
        CHECK(steps_within(all, 40) == 40);
        CHECK(guarded(10) == 45 * THREADS);
    }
    return pass();
}
