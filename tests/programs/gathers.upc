// question: loops over elements that a subscript selects read the values that the program would read one by one
// counts: UPC_BARRIER=12*THREADS, UPC_ALLOC=THREADS, UPC_PUT=25000*THREADS+8775, UPC_GET=107219*THREADS+17550
#include "check.h"
#include <upc_relaxed.h>

#define PER 3000
#define READS 2500

typedef struct { int key; double weight[2]; } entry_t;
typedef struct { int where, more[2]; } step_t;

shared [PER] long blocked[PER * THREADS];
shared entry_t cyclic[PER * THREADS];
shared [] int *lists[4];
shared [READS] int order[READS * THREADS];
shared [READS] step_t steps[READS * THREADS];
static int ix[READS];

static long at(long i) { return i * i % 8191; }

static void fill(void)
{
    for (int i = MYTHREAD; i < PER * THREADS; i += THREADS) {
        blocked[i] = at(i);
        cyclic[i].key = at(i + 1);
        cyclic[i].weight[1] = at(i + 2);
    }
    unsigned r = 12345 + MYTHREAD;
    for (int i = 0; i < READS; i++) {
        r = r * 1103515245u + 12345u;
        ix[i] = (r >> 8) % (PER * THREADS);
        order[READS * MYTHREAD + i] = ix[i];
        steps[READS * MYTHREAD + i].where = ix[i];
        for (int j = 0; j < 2; j++)
            steps[READS * MYTHREAD + i].more[j] = (ix[i] + j + 1) % (PER * THREADS);
    }
    lists[0] = upc_alloc(PER * sizeof(int));
    for (int i = 0; i < PER; i++)
        lists[0][i] = at(i + 3);
    upc_barrier;
}

static long sum(int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += blocked[ix[i]] * (i + 1);
    return s;
}

/* Subscripts in a shared array of this thread, and of another one; a variable between. */
static long sum_by(int source, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        int k = order[READS * source + i];
        s += cyclic[k].key + (long)cyclic[k].weight[1] * 3 + blocked[k];
    }
    return s;
}

/* Subscripts that are members of records, and elements of their arrays. */
static long sum_by_members(int source, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += blocked[steps[READS * source + i].where] + (long)cyclic[steps[READS * source + i].more[i % 2]].weight[i % 2];
    return s;
}

/* A place that the loop may write: nothing may be read before its time. */
static long chase(int n)
{
    long s = 0;
    for (int i = 0; i < n; i++) {
        s += blocked[ix[i]];
        blocked[ix[(i + 1) % READS]] += 0;
        ix[i % 7] ^= 0;
    }
    return s;
}

/* What a private pointer writes into the thread's own memory is read in order. */
static long own(int n)
{
    long *mine = (long *)&blocked[MYTHREAD * (long)PER], s = 0;
    long before = mine[5];
    for (int i = 0; i < n; i++) {
        mine[5] = i;
        s += blocked[i % 2 == 0 ? MYTHREAD * PER + 5 : ix[i] / PER * PER + 4];
    }
    mine[5] = before;
    return s;
}

/* Backwards, with a step, and over a pointer to a block of one thread. */
static long odd(int n)
{
    long s = 0;
    for (int i = n - 1; i >= 0; i -= 3)
        s += blocked[ix[i]] + (i % 5 ? lists[0][ix[i] % PER] : 1);
    for (int i = n - 1; i >= 0; i -= 3)
        s += lists[0][ix[i] % PER];
    return s;
}

/* The i-th subscript of a thread. */
static int subscript(int thread, int i)
{
    unsigned r = 12345 + thread;
    for (int k = 0; k <= i; k++)
        r = r * 1103515245u + 12345u;
    return (r >> 8) % (PER * THREADS);
}

static void sums(int n)
{
    long s = 0, u = 0, v = 0, o = 0;
    for (int i = 0; i < n; i++) {
        long k = order[READS * ((MYTHREAD + 1) % THREADS) + i];
        s += at(ix[i]) * (i + 1);
        u += at(k + 1) + at(k + 2) * 3 + at(k);
        v += at(k) + (i % 2 ? at((k + 2) % (PER * THREADS) + 2) : 0);
    }
    for (int i = n - 1; i >= 0; i -= 3)
        o += at(ix[i]) + (i % 5 ? at(ix[i] % PER + 3) : 1) + at(ix[i] % PER + 3);
    CHECK(sum(n) == s);
    CHECK(sum_by((MYTHREAD + 1) % THREADS, n) == u);
    CHECK(sum_by_members((MYTHREAD + 1) % THREADS, n) == v);
    CHECK(odd(n) == o);
}

static void chases(int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += at(ix[i]);
    CHECK(chase(n) == s);
}

static void owns(int n)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += i % 2 == 0 ? i : at(ix[i] / PER * PER + 4);
    CHECK(own(n) == s);
}

int main(void)
{
    fill();
    CHECK(order[READS * ((MYTHREAD + 1) % THREADS) + 1000] == subscript((MYTHREAD + 1) % THREADS, 1000));
    for (int turn = 0; turn < 3; turn++) {
        for (int n = 0; n <= READS; n = n * 5 + 3)
            sums(n);
        upc_barrier;
        /* One thread at a time, because it writes elements of all. */
        if (MYTHREAD == turn % THREADS)
            for (int n = 0; n <= READS; n = n * 5 + 3)
                chases(n);
        upc_barrier;
        for (int n = 0; n <= READS; n = n * 5 + 3)
            owns(n);
        upc_barrier;
    }
    /* What others write is read after a barrier. */
    for (int i = 0; i < PER; i++)
        blocked[MYTHREAD * (long)PER + i] = at(i) + 5;
    upc_barrier;
    long s = 0;
    for (int i = 0; i < READS; i++)
        s += (at(ix[i] % PER) + 5) * (i + 1);
    CHECK(sum(READS) == s);
    return pass();
}
