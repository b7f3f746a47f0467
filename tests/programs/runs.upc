// question: loops that go through blocks, rows and members by private pointers, or walk from thread to thread, make the accesses that they are written to make
// counts: UPC_BARRIER=22*THREADS, UPC_FORALL=5*THREADS, UPC_ALLOC=THREADS, UPC_FREE=THREADS
#include "check.h"

#define N 61
#define W 24
typedef struct { char tag; short v[3]; int bits : 5; double d; } item_t;
shared int cyclic[N * THREADS];
shared [4] int short_blocks[N * THREADS];
shared [20] int blocked[N * THREADS], copy[N * THREADS];
shared [W] int rows[N * THREADS][W];
shared [7] item_t items[N * THREADS];
shared int scalar;
shared [] int *shared table[THREADS];
shared [] int *parts[2];
int total;
static volatile int never;

static int value(int i) { return i * i % 97 + i; }

static void fill(void)
{
    int i, j;
    upc_forall (i = 0; i < N * THREADS; i++; &blocked[i]) {
        blocked[i] = value(i);
        copy[i] = -1;
    }
    upc_forall (i = 0; i < N * THREADS; i++; i)
        cyclic[i] = value(i);
    upc_forall (i = 0; i < N * THREADS; i++; &short_blocks[i])
        short_blocks[i] = value(i);
    upc_forall (i = 0; i < N * THREADS; i++; &rows[i][0])
        for (j = 0; j < W; j++)
            rows[i][j] = value(i + j);
    upc_forall (i = 0; i < N * THREADS; i++; &items[i]) {
        items[i].v[1] = (short)value(i);
        items[i].bits = i % 13;
        items[i].d = i;
    }
    upc_barrier;
}

static long sum(int from, int to, int step)
{
    long s = 0;
    for (int i = from; i < to; i += step)
        s += value(i);
    return s;
}

/* Up, down, in steps, from a place inside a block to one inside another. */
static void directions(int from, int to)
{
    long s[14] = {0};
    int i;
    unsigned u;
    size_t z;
    for (i = from; i < to; i++)
        s[0] += blocked[i];
    CHECK(i == (to > from ? to : from));
    for (i = to - 1; i >= from; i--)
        s[1] += blocked[i];
    CHECK(i == (to > from ? from : to) - 1);
    for (i = from; i < to; i += 3)
        s[2] += blocked[i];
    for (u = from; u < (unsigned)to; u++)
        s[3] += blocked[u] - cyclic[u];
    for (z = from; z < (size_t)to; ++z)
        s[4] += blocked[z] + (cyclic[z] - short_blocks[z]);
    for (i = from; i <= to - 1; i++)
        s[5] += cyclic[i];
    for (i = to - 1; i > from - 1; i -= 1)
        s[6] += cyclic[i] - short_blocks[i] + short_blocks[to - 1 - (to - 1 - i)];
    for (i = from; i < to; i += 1 + 1)
        s[7] += short_blocks[i] + 0 * cyclic[i];
    for (long k = from; to > k; k = k + 1)
        s[8] += blocked[from + (to - 1 - k)];
    for (i = from; i < to; i += THREADS)
        s[9] += cyclic[i];
    for (i = from; i < to; i += THREADS)
        s[10] += blocked[i] + short_blocks[i] * 0;
    for (i = 0; i < to - from; i++)
        s[11] += blocked[from + i] + blocked[to - 1 - i];
    if (from <= to) {
        for (i = from; i != to; i++)
            s[12] += blocked[i];
        CHECK(i == to);
        for (i = to - 1; from - 1 != i; --i)
            s[13] += blocked[i];
        CHECK(i == from - 1 && s[12] == s[0] && s[13] == s[0]);
    }
    CHECK(s[0] == sum(from, to, 1) && s[1] == s[0] && s[4] == s[0] && s[5] == s[0] && s[6] == s[0] && s[8] == s[0]);
    CHECK(s[2] == sum(from, to, 3) && s[3] == 0 && s[7] == sum(from, to, 2) && s[11] == 2 * s[0]);
    CHECK(s[9] == sum(from, to, THREADS) && s[10] == s[9]);
}

static void rows_and_members(void)
{
    int i, j, k;
    long s = 0, want = 0;
    for (i = 0; i < N * THREADS; i++) {
        for (j = 0; j < W; j++)
            s += rows[i][j] - rows[i][W - 1 - j];
        for (j = 1; j < W - 1; j++)
            s += rows[i][j - 1] * 3 + rows[i][j + 1];
        for (j = 1; j < W - 1; j++)
            want += 3 * value(i + j - 1) + value(i + j + 1);
    }
    CHECK(s == want);
    /* A column, one row after the other; a linear subscript. */
    for (s = 0, i = 0; i < N * THREADS; i++)
        s += rows[i][5];
    CHECK(s == sum(5, N * THREADS + 5, 1));
    for (s = 0, want = 0, k = 0; k < 3; k++)
        for (j = 0; j < 9; j++) {
            int at = k * 9 + j, next = at + 1;
            s += blocked[at] - 2 * blocked[next];
            want += value(k * 9 + j) - 2 * value(k * 9 + j + 1);
        }
    CHECK(s == want);
    for (s = 0, want = 0, i = 0; i < N * THREADS; i++) {
        s += items[i].v[1] + items[i].bits;
        want += value(i) + i % 13;
    }
    CHECK(s == want);
    for (s = 0, k = 0; k < 3; k++)
        s += items[9].v[k];
    CHECK(s == value(9));
    /* Members of arrays in elements that move. */
    for (s = 0, want = 0, i = 0; i < N * THREADS; i++) {
        s += items[i].v[i & 1] + 2 * *items[i].v + items[i].v[cyclic[i] & 1];
        want += (i & 1 ? value(i) : 0) + (value(i) & 1 ? value(i) : 0);
    }
    CHECK(s == want);
}

/* Each thread writes what belongs to the next, by each kind of write. */
static void writes(void)
{
    int next = (MYTHREAD + 1) % THREADS, i;
    upc_barrier;
    for (i = next * N; i < (next + 1) * N; i++)
        copy[i] = blocked[i];
    for (i = next * N; i < (next + 1) * N; i++) {
        copy[i] += 2;
        copy[i]++;
        if (i % 3 == 0)
            continue;
        copy[i] -= 1;
    }
    for (i = next * N; i < (next + 1) * N; i++)
        items[i].bits = (items[i].bits + 1) % 13, items[i].tag = 'a' + i % 26;
    upc_barrier;
    for (i = 0; i < N * THREADS; i++)
        CHECK(copy[i] == value(i) + 3 - (i % 3 != 0));
    for (i = 0; i < N * THREADS; i++)
        CHECK(items[i].bits == (i + 1) % 13 % 13 && items[i].tag == 'a' + i % 26);
    for (i = 0; i < N * THREADS; i++)
        CHECK(items[i].d == i && items[i].v[1] == (short)value(i));
    upc_barrier;
    /* An item at a time, over itself one further. */
    if (MYTHREAD == 0)
        for (i = N * THREADS - 1; i > 0; i--)
            items[i] = items[i - 1];
    upc_barrier;
    for (i = 1; i < N * THREADS; i++)
        CHECK(items[i].d == i - 1);
    upc_barrier;
}

/* A dependence from one iteration to the next, through another name and through a pointer. */
static void dependences(void)
{
    shared [20] int *p = &copy[1];
    int i;
    if (MYTHREAD == THREADS - 1) {
        copy[0] = 1;
        for (i = 1; i < N * THREADS; i++)
            copy[i] = copy[i - 1] + 1;
        for (i = 0; i < N * THREADS - 1; i++)
            p[i] += copy[i];
    }
    upc_barrier;
    for (i = 0; i < N * THREADS; i++)
        CHECK(copy[i] == (i + 1) * (i + 2) / 2);
    upc_barrier;
}

/* What is not accessed may be an address of nothing. */
static void wild(int n, int divisor)
{
    shared [20] int *null = NULL;
    shared [] int *none = NULL;
    shared [] int *const shared *no_table = NULL;
    long s = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0)
            s += blocked[i - 1];
        if (never)
            s += null[i] + none[i] + blocked[i + n / divisor] + no_table[3][i];
        s += i + 1 < N * THREADS ? cyclic[i + 1] * 0 : 0;
        s += never ? none[i] : 0;
        s += never && none[i];
    }
    CHECK(s == sum(0, n - 1, 1));
}

static int lower(int to)
{
    total--;
    return to;
}

/* Bounds, pointers and subscripts that change, or that others change. */
static void changing(void)
{
    shared [20] int *p = blocked;
    int i, n, at[3] = {0, 5, 9}, k = 0;
    int *alias = &k;
    long s = 0;
    for (i = 0, n = 10; i < n; i++) {
        s += blocked[i];
        n -= i % 3 == 0;
    }
    CHECK(s == sum(0, i, 1));
    for (s = 0, i = 0; i < 10; i++) {
        s += p[i];
        p++;
    }
    CHECK(s == sum(0, 20, 2));
    for (s = 0, total = 10, i = 0; i < total; i++)
        s += blocked[lower(i)];
    CHECK(s == sum(0, 5, 1));
    for (s = 0, i = 0; i < 6; i++) {
        s += blocked[k + i];
        *alias += 1;
    }
    CHECK(s == sum(0, 12, 2));
    for (s = 0, i = 0; i < 3; i++)
        s += blocked[at[i]];
    CHECK(s == value(0) + value(5) + value(9));
    for (s = 0, i = 0; i < 9; i++) {
        s += blocked[i];
        if (i == 4)
            break;
    }
    CHECK(i == 4 && s == sum(0, 5, 1));
    for (s = 0, i = 0; i < 9; i += 2) {
        int twice = 2 * i;
        s += blocked[twice] + cyclic[twice + 1];
        twice++;
    }
    CHECK(s == sum(0, 20, 4) + sum(1, 21, 4));
}

/* Pointers in tables, private and shared. */
static void tables(void)
{
    long s = 0;
    table[MYTHREAD] = (shared [] int *)upc_alloc(W * sizeof(int));
    for (int j = 0; j < W; j++)
        table[MYTHREAD][j] = value(j + MYTHREAD);
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    parts[0] = table[next];
    parts[1] = table[next] + W / 2;
    for (int j = 0; j < W; j++)
        s += table[next][j] - value(j + next);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < W / 2; j++)
            s += parts[k][j] - value(j + k * (W / 2) + next);
    CHECK(s == 0);
    upc_barrier;
    upc_free(table[MYTHREAD]);
}

/* A bound and a pointer in shared memory that another thread changes at a barrier in the loop. */
static void by_others(void)
{
    long s = 0;
    int i;
    if (MYTHREAD == 0)
        scalar = 100;
    upc_barrier;
    for (i = 0; i < scalar; i++) {
        s += blocked[i];
        upc_barrier;
        if (MYTHREAD == THREADS - 1 && i == 2)
            scalar = 5;
        upc_barrier;
    }
    CHECK(i == 5 && s == sum(0, 5, 1));
}

int main(void)
{
    fill();
    int ends[] = {0, 1, 3, 19, 20, 21, 39, N - 1, N * THREADS - 1, N * THREADS};
    int n = sizeof ends / sizeof *ends;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            directions(ends[i], ends[j]);
    rows_and_members();
    wild(N * THREADS, never);
    changing();
    tables();
    by_others();
    writes();
    dependences();
    return pass();
}
