// question: loops that write elements in an order that only their data knows leave what the program would write one by one
// threads: 1 2 3 5
#include "check.h"
#include <upc_relaxed.h>

#define PER 6000
#define N 5000
#define SPACE (2 * N)
#define MOST_THREADS 8

typedef struct { short key; char more[6]; double weight; } entry_t;

shared [PER] int blocked[PER * THREADS];
shared long cyclic[PER * THREADS];
shared [SPACE] unsigned char sorted[SPACE * THREADS];
shared [PER] entry_t entries[PER * THREADS];
shared [] short *list[MOST_THREADS];
static int ix[N], twin[PER], order[N], keys[N];

/* The elements of this thread's round: those of the thread `ahead` threads after it. Each has one writer. */
static int owner(int ahead) { return (MYTHREAD + ahead) % THREADS; }

static int mixed(int i) { return (unsigned)(i * 2654435761u) >> 7; }

/* Each part is written from its beginning to its end, all in turn, as a sort does. */
static void sort(int n)
{
    long place[MOST_THREADS];
    for (int t = 0; t < THREADS; t++)
        place[t] = t * (long)SPACE + MYTHREAD * (SPACE / THREADS);
    for (int i = 0; i < n; i++)
        sorted[place[keys[i] % THREADS]++] = keys[i] % 251;
    upc_barrier;
    for (int source = 0; source < THREADS; source++) {
        int at = MYTHREAD * SPACE + source * (SPACE / THREADS), wrong = 0;
        for (int i = 0; i < n; i++)
            if (keys[i] % THREADS == MYTHREAD)
                wrong += sorted[at++] != keys[i] % 251;
        CHECK(wrong == 0);
    }
    upc_barrier;
}

/* Several writes of one place: the last one counts. */
static void last_wins(int n, int ahead)
{
    int base = owner(ahead) * PER, wrong = 0;
    for (int i = 0; i < n; i++)
        blocked[base + ix[i] % 700] = i;
    for (int i = 0; i < n; i++)
        blocked[base + 1000 + order[i] / 3] = i + 7;
    for (int i = 0; i < 2000; i++)
        twin[i] = 0;
    for (int i = 0; i < n; i++)
        twin[ix[i] % 700] = i, twin[1000 + order[i] / 3] = i + 7;
    for (int i = 0; i < 700; i++)
        wrong += twin[i] != 0 && blocked[base + i] != twin[i];
    for (int i = 1000; i < 2000; i++)
        wrong += twin[i] != 0 && blocked[base + i] != twin[i];
    CHECK(wrong == 0);
    upc_barrier;
}

/* So much side by side that the loop goes on while it travels; then the same places again. */
static void long_parts(int ahead)
{
    static int where[3 * PER];
    int base = owner(ahead) * PER, wrong = 0;
    for (int i = 0; i < 3 * PER; i++)
        where[i] = i < 2 * PER ? i % PER : (i + PER / 2) % PER;
    for (int n = 0; n < 5; n++)
        for (int i = 0; i < 3 * PER; i++)
            blocked[base + where[i]] = i + n;
    for (int i = 0; i < PER; i++)
        wrong += blocked[base + (i + PER / 2) % PER] != 2 * PER + i + 4;
    CHECK(wrong == 0);
    upc_barrier;
}

/* What the loop reads may be what it has written. */
static void chain(int n, int ahead)
{
    int base = owner(ahead) * PER, wrong = 0;
    blocked[base] = 3;
    for (int i = 1; i < n; i++)
        blocked[base + order[i]] = blocked[base + order[i - 1]] % 1000 + 1;
    for (int i = 1, value = 3; i < n; i++) {
        value = value % 1000 + 1;
        wrong += blocked[base + order[i]] != value;
    }
    CHECK(wrong == 0);
    upc_barrier;
}

/* Updates read what was written before. */
static void updates(int n, int ahead)
{
    int base = owner(ahead) * PER, wrong = 0;
    for (int i = 0; i < 100; i++)
        blocked[base + i] = twin[i] = 0;
    for (int i = 0; i < n; i++) {
        blocked[base + ix[i] % 100] += i;
        if (i % 10 == 3)
            blocked[base + ix[i] % 90] = -i;
    }
    for (int i = 0; i < n; i++) {
        twin[ix[i] % 100] += i;
        if (i % 10 == 3)
            twin[ix[i] % 90] = -i;
    }
    for (int i = 0; i < 100; i++)
        wrong += blocked[base + i] != twin[i];
    CHECK(wrong == 0);
    upc_barrier;
}

/* Only some iterations write, of two sizes, to two arrays; what they leave out keeps its value. */
static void some(int n, int ahead)
{
    shared [] short *own_list = list[owner(ahead)];
    int to = owner(ahead), base = to * PER, wrong = 0;
    for (int i = 0; i < PER; i++) {
        entries[base + i].key = 1;
        entries[base + i].weight = 2;
        own_list[i] = 5;
    }
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) {
            entry_t made = {i % 1000, {0}, i};
            entries[base + order[i]] = made;
        }
        if (i % 7 < 4)
            own_list[order[i]] = i % 1000;
        if (i % 5 == 0)
            cyclic[to + order[i] * (long)THREADS] = i;
    }
    for (int i = 0; i < n; i++) {
        entry_t found = entries[base + order[i]];
        wrong += found.key != (i % 3 == 0 ? i % 1000 : 1) || found.weight != (i % 3 == 0 ? i : 2);
        wrong += own_list[order[i]] != (i % 7 < 4 ? i % 1000 : 5);
        wrong += i % 5 == 0 && cyclic[to + order[i] * (long)THREADS] != i;
    }
    CHECK(wrong == 0);
    upc_barrier;
}

/* Values with other writes in them, and places with other writes in them. */
static void nested(int n, int ahead)
{
    shared [] short *own_list = list[owner(ahead)];
    int to = owner(ahead), base = to * PER, wrong = 0, next = 0;
    for (int i = 0; i < n; i++)
        blocked[base + order[next++]] = own_list[order[i]] = i % 1000;
    for (int i = 0; i < n; i++)
        wrong += blocked[base + order[i]] != i % 1000 || own_list[order[i]] != i % 1000;
    CHECK(wrong == 0 && next == n);
    upc_barrier;
}

/* Where a flag is the last write, the others are there when it is. */
static void in_order(void)
{
    static shared [] int *shared place[THREADS];
    static strict shared int ready[THREADS];
    place[MYTHREAD] = upc_alloc(N * sizeof(int));
    ready[MYTHREAD] = 0;
    upc_barrier;
    shared [] int *to = place[owner(1)];
    for (int i = 0; i < N; i++)
        to[order[i]] = i + MYTHREAD;
    ready[owner(1)] = 1;
    while (ready[MYTHREAD] == 0)
        continue;
    int wrong = 0, from = (MYTHREAD + THREADS - 1) % THREADS;
    for (int i = 0; i < N; i++)
        wrong += place[MYTHREAD][order[i]] != i + from;
    CHECK(wrong == 0);
    upc_barrier;
}

int main(void)
{
    static shared [] short *shared lists[THREADS];
    unsigned r = 99 + MYTHREAD;
    lists[MYTHREAD] = upc_alloc(PER * sizeof(short));
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        list[t] = lists[t];
    /* Ranges of elements, one after the other, in an order that is not theirs. */
    for (int i = 0; i < N; i++) {
        r = r * 1103515245u + 12345u;
        ix[i] = r >> 8 & 0xffff;
        keys[i] = mixed(i);
        order[i] = i / 50 * 17 % 100 * 50 + i % 50;
    }
    for (int n = 30; n <= N; n = n * 12 + 200) {
        sort(n);
        for (int ahead = 1; ahead >= 0; ahead--) {
            last_wins(n, ahead);
            chain(n, ahead);
            updates(n, ahead);
            some(n, ahead);
            nested(n, ahead);
        }
    }
    for (int ahead = 1; ahead >= 0; ahead--)
        long_parts(ahead);
    in_order();
    return pass();
}
