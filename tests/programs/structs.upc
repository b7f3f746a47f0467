// question: shared structs, unions and arrays inside them: members by . and ->, nested, whole values in all directions
// counts: UPC_BARRIER=7*THREADS, UPC_FORALL=THREADS
#include "check.h"
#include <string.h>

struct inner {
    char tag;
    double weight;
    short grid[2][3];
};
struct outer {
    int id;
    struct inner in, list[4];
    union {
        int as_int;
        char bytes[4];
    };
    struct inner *unused;
};
union both {
    long l;
    struct { int lo, hi; } half;
};
typedef struct outer outer_t;

shared outer_t one;
shared [2] outer_t many[4 * THREADS];
shared union both pun[THREADS];
static outer_t mine;

static outer_t make(int seed)
{
    outer_t o;
    memset(&o, 0, sizeof o);
    o.id = seed;
    o.in.tag = 'a' + seed % 26;
    o.in.weight = seed / 2.0;
    o.in.grid[1][2] = seed + 1;
    o.list[3].grid[0][1] = seed + 2;
    o.as_int = seed * 3;
    return o;
}

static int same(outer_t o, int seed)
{
    return o.id == seed && o.in.tag == 'a' + seed % 26 && o.in.weight == seed / 2.0 && o.in.grid[1][2] == seed + 1 &&
           o.list[3].grid[0][1] == seed + 2 && o.as_int == seed * 3;
}

static int same_through(shared outer_t *p, int seed)
{
    return p->id == seed && p->in.tag == 'a' + seed % 26 && (*p).in.weight == seed / 2.0 && p->in.grid[1][2] == seed + 1 &&
           p->list[3].grid[0][1] == seed + 2 && p->bytes[0] == (char)(seed * 3);
}

int main(void)
{
    int e;
    outer_t copy, *local = &copy;
    shared [2] outer_t *p;
    shared outer_t *q = &one;
    if (MYTHREAD == 0)
        one = make(5); /* from a call's value */
    upc_barrier;
    CHECK(same(one, 5) && same_through(&one, 5));
    upc_forall (e = 0; e < 4 * THREADS; e++; &many[e])
        many[e] = make(e);
    upc_barrier;
    for (e = 0, p = many; e < 4 * THREADS; e++, p++) {
        copy = many[e]; /* shared to private */
        CHECK(same(copy, e) && same(*p, e) && same_through((shared outer_t *)p, e));
        *local = *p;
        CHECK(same(mine = copy, e) && p->in.grid[1][2] == (*local).in.grid[1][2]);
        CHECK(same(many[e], e) && make(e).id == (*p).id);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        many[0] = many[4 * THREADS - 1]; /* shared to shared */
        copy = make(99);
        many[1] = copy; /* private to shared */
        many[2] = (outer_t){ .id = 7, .in = { 'z', 0.5 }, .in.grid[1][2] = 4 };
        many[3] = *q = make(12);
        many[1].list[2] = many[0].in; /* a member to a member */
        many[1].list[0].grid[1][1]++;
        many[1].list[0].grid[1][1] += 4;
    }
    upc_barrier;
    CHECK(same(many[0], 4 * THREADS - 1) && same(many[1], 99));
    CHECK(many[2].id == 7 && many[2].in.tag == 'z' && many[2].in.weight == 0.5 && many[2].in.grid[1][2] == 4 && many[2].list[1].tag == 0);
    CHECK(same(many[3], 12) && same(one, 12));
    CHECK(many[1].list[2].tag == many[0].in.tag && many[1].list[0].grid[1][1] == 5);
    /* The address of a member is a pointer of indefinite block size. */
    {
        shared [] double *w = &many[1].in.weight;
        shared [] short *g = &many[1].list[0].grid[1][0];
        shared [] short (*row)[3] = many[1].list[0].grid;
        CHECK(*w == 99 / 2.0 && g[1] == 5 && row[1][1] == 5 && (*(row + 1))[1] == 5 && upc_phaseof(g) == 0);
        CHECK(upc_threadof(g) == upc_threadof(&many[1]));
        CHECK(upc_addrfield(w) - upc_addrfield(&many[1]) == offsetof(outer_t, in.weight));
    }
    upc_barrier;
    pun[MYTHREAD].l = 0;
    pun[MYTHREAD].half.hi = MYTHREAD + 1;
    upc_barrier;
    for (e = 0; e < THREADS; e++)
        CHECK(pun[e].half.lo == 0 && (pun[e].l >> 32) == e + 1);
    CHECK((e ? one : mine).id == 12);
    CHECK((mine = many[3], mine.id) == 12);
    return pass();
}
