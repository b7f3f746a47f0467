// question: a variable that a loop steps in its third clause, and changes in its body too, leads to what the program says
// threads: 1 2 3
#include "check.h"
#include <upc_relaxed.h>

#define N 40

shared [4] int blocked[4 * N * THREADS];
shared int cyclic[4 * N * THREADS];
shared [] int *row;
static int twin[4 * N];

static long by_pointer(shared [4] int *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++, p++) {
        s = s * 3 + *p;
        if (s & 1)
            p++;
    }
    return s;
}

static long by_twin(const int *p, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++, p++) {
        s = s * 3 + *p;
        if (s & 1)
            p++;
    }
    return s;
}

static long by_index(int n)
{
    long s = 0;
    for (int i = 0, j = 0; i < n; i++, j += 2) {
        s = s * 3 + cyclic[j];
        if (s % 5 == 0)
            j--;
    }
    return s;
}

static long index_twin(int n)
{
    long s = 0;
    for (int i = 0, j = 0; i < n; i++, j += 2) {
        s = s * 3 + twin[j];
        if (s % 5 == 0)
            j--;
    }
    return s;
}

/* The body sets it anew, starts it again, and changes it in an expression. */
static long anew(int n)
{
    long s = 0;
    shared [] int *q = row;
    for (int i = 0, j = 0; i < n; i++, j++, q++) {
        if (i % 7 == 6)
            j = i / 2, q = row + i % 3;
        s = s * 3 + blocked[j] + *q;
        s += cyclic[i % 4 == 1 ? ++j : j];
    }
    return s;
}

static long anew_twin(int n)
{
    long s = 0;
    const int *q = twin;
    for (int i = 0, j = 0; i < n; i++, j++, q++) {
        if (i % 7 == 6)
            j = i / 2, q = twin + i % 3;
        s = s * 3 + twin[j] + *q;
        s += twin[i % 4 == 1 ? ++j : j];
    }
    return s;
}

int main(void)
{
    static shared [] int *shared rows[THREADS];
    for (int i = 0; i < 4 * N; i++)
        twin[i] = (i * 37 + 11) % 101;
    if (MYTHREAD == 0)
        for (int i = 0; i < 4 * N; i++)
            blocked[i] = cyclic[i] = twin[i];
    rows[MYTHREAD] = upc_alloc(4 * N * sizeof(int));
    for (int i = 0; i < 4 * N; i++)
        rows[MYTHREAD][i] = twin[i];
    upc_barrier;
    row = rows[(MYTHREAD + 1) % THREADS];
    for (int n = 0; n <= N; n++)
        CHECK(by_pointer(blocked, n) == by_twin(twin, n) && by_index(n) == index_twin(n));
    for (int n = 0; n <= N; n++)
        CHECK(anew(n) == anew_twin(n));
    return pass();
}
