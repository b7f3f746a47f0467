// question: upc_forall with bounds, steps and affinities of every shape runs the iterations that the definition gives to this thread, in order
#include "check.h"

#define N 40
#define MOST 400
shared int a[2 * N * THREADS];
shared [3] int b[2 * N * THREADS];
shared [6] int m[N * THREADS][3];
typedef struct { char tag; short v[3]; } item_t;
shared [4] item_t items[N * THREADS];
shared int shared_limit;
strict shared int strict_limit;

static long ran[MOST], expected[MOST];
static int runs, expectations;
static int *escaped;

/* The owner of an integer affinity: the remainder is never negative. */
static int owner(long value)
{
    long rest = value % THREADS;
    return (int)(rest < 0 ? rest + THREADS : rest);
}

static void same(int line, long last, long last_expected)
{
    int k, good = runs == expectations && last == last_expected;
    for (k = 0; good && k < runs; k++)
        good = ran[k] == expected[k];
    if (!good)
        fprintf(stderr, "line %d: %d iterations for %d\n", line, runs, expectations);
    CHECK(good);
    runs = expectations = 0;
}

/* The loop itself against a plain loop that asks for the owner. `change` may alter what the bounds look at. */
#define COMPARE(type, init, cond, step, affinity, owner_of, change)                                                            \
    do {                                                                                                                       \
        type i;                                                                                                                \
        long last;                                                                                                             \
        int limit = N;                                                                                                         \
        escaped = &limit;                                                                                                      \
        upc_forall (init; cond; step; affinity) {                                                                              \
            ran[runs++] = (long)i;                                                                                             \
            change;                                                                                                            \
        }                                                                                                                      \
        last = (long)i;                                                                                                        \
        limit = N;                                                                                                             \
        for (init; cond; step)                                                                                                 \
            if (owner_of == MYTHREAD) {                                                                                        \
                expected[expectations++] = (long)i;                                                                            \
                change;                                                                                                        \
            }                                                                                                                  \
        same(__LINE__, last, (long)i);                                                                                         \
    } while (0)
#define INTEGER(type, init, cond, step, affinity) COMPARE(type, init, cond, step, affinity, owner((long)(affinity)), (void)0)
#define PLACE(type, init, cond, step, affinity)                                                                                \
    COMPARE(type, init, cond, step, affinity, (int)upc_threadof((shared void *)(affinity)), (void)0)

static void integers(void)
{
    INTEGER(int, i = 0, i < N, i++, i);
    INTEGER(int, i = 3, i <= N, ++i, i + 2);
    INTEGER(int, i = N, i < N, i++, i);
    INTEGER(int, i = N + 3, i < N, i++, i);
    INTEGER(long, i = -7, N > i, i += 1, i);
    INTEGER(long long, i = -7, N >= i, i = i + 1, i - 1);
    INTEGER(int, i = -7, i < N, i += 2, i - 3);
    INTEGER(int, i = N, i >= 0, i--, 10 - i);
    INTEGER(int, i = N, i > -5, i -= 3, -i);
    INTEGER(short, i = -5, i < N, i++, i % THREADS);
    INTEGER(int, i = -5, i < N, i++, i % THREADS);
    INTEGER(char, i = 0, i < N, i++, i / 4);
    INTEGER(unsigned char, i = 0, i != N, i++, i * 2);
    INTEGER(unsigned, i = 2, i < N, i++, MYTHREAD);
    INTEGER(unsigned, i = 2, i < N, i++, i + 1);
    INTEGER(int, i = 0, i < N, i++, i * THREADS / N);
    INTEGER(int, i = 0, i < N, i++, (THREADS * i) / N % THREADS);
    INTEGER(int, i = 5, i < 3 * N, i++, (i * THREADS) / 7);
    INTEGER(long, i = 3, i <= N, i++, THREADS * (i - 2) / 13);
    INTEGER(short, i = 5, i < N, i++, (long)THREADS * (i + 1) / 3);
    INTEGER(size_t, i = 0, i < N, i++, i * THREADS / N);
    INTEGER(unsigned, i = 0, i < N, i++, i * THREADS / N);
    INTEGER(int, i = -5, i < N, i++, i * THREADS / N);
    INTEGER(int, i = 0, i < 4, i++, i * THREADS / 100000);
    INTEGER(int, i = 0, i < N, i++, i * THREADS / 1);
    INTEGER(int, i = 0, i < N, i += 2, i * THREADS / N);
    INTEGER(int, i = N, i < N, i++, i * THREADS / N);
    INTEGER(int, i = 1, i < 200, i *= 2, i & 3);
    INTEGER(int, i = 0, i < limit, i++, i == 2 ? 0 : 1);
    /* Unsigned values wrap around, to something that is not a multiple of THREADS. */
    COMPARE(size_t, i = 0, i < N, i++, i - 1, (int)((i - 1) % THREADS), (void)0);
    COMPARE(int, i = -3, i < N, i++, (size_t)i, (int)((size_t)i % THREADS), (void)0);
    /* A negative start is not a small number in an unsigned comparison. */
    INTEGER(int, i = -2, i < sizeof(int) * N, i++, i);
    INTEGER(int, i = 2, i < sizeof(int) * 5, i++, i);
    INTEGER(int, i = 2, i <= (size_t)limit, i++, i);
}

static void places(void)
{
    shared int *p = a + 2;
    shared [3] int *q = &b[4];
    PLACE(int, i = 0, i < N, i++, &a[i]);
    PLACE(int, i = 0, i < N, i++, &a[i + 1]);
    PLACE(int, i = 0, i < N, i++, &a[2 * i]);
    PLACE(int, i = 0, i < N, i++, a + i);
    PLACE(int, i = 3, i <= N, i++, &p[i]);
    PLACE(int, i = 0, i < N, i++, &b[i]);
    PLACE(int, i = 0, i < N, i++, &b[i + 2]);
    PLACE(int, i = 0, i < N, i++, &b[i / 2]);
    PLACE(int, i = N, i > 0, i--, &b[i]);
    PLACE(unsigned, i = 1, i < N, i++, &q[i]);
    PLACE(size_t, i = 5, i < N, i++, q + i + 1);
    PLACE(int, i = -4, i < N, i++, &q[i]);
    PLACE(int, i = 0, i < N, i++, &m[i][0]);
    PLACE(int, i = 0, i < N, i++, &m[i][2]);
    PLACE(int, i = 0, i < N, i++, &m[i / 3][i % 3]);
    PLACE(int, i = 0, i < N, i++, m[i]);
    PLACE(int, i = 0, i < N, i++, &items[i]);
    PLACE(int, i = 0, i < N, i++, &items[i].v[1]);
    PLACE(int, i = 0, i < N, i++, items[i].v);
    PLACE(int, i = 0, i < N, i++, p);
}

static void lower_limit(void)
{
    if (*escaped > 9)
        --*escaped;
}

/* Bounds that the body changes behind the loop's back. */
static void changing(void)
{
    int *through;
    COMPARE(int, i = 0, i < limit, i++, i, owner(i), limit--);
    COMPARE(int, i = 0, i < limit, i++, i, owner(i), --*escaped);
    COMPARE(int, i = 0, i < limit, i++, &b[i], (int)upc_threadof(&b[i]), lower_limit());
    COMPARE(int, (i = 0, through = &i), i < limit, i++, i, owner(i), *through += 2 * THREADS);
}

/* Every strict read of the bound happens. */
static int strict_bound(void)
{
    int i, n = 0;
    upc_forall (i = 0; i < strict_limit; i++; i)
        n++;
    return n;
}

int main(void)
{
    int i, n = 0;
    integers();
    places();
    changing();
    if (MYTHREAD == 0)
        shared_limit = strict_limit = N;
    upc_barrier;
    upc_forall (i = 0; i < shared_limit; i++; i)
        n++;
    CHECK(i == N && n == strict_bound());
    return pass();
}
