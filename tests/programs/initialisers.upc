// question: static initialisers that hold addresses of shared objects, which are not constants for the C compiler
// counts: UPC_BARRIER=4*THREADS, UPC_PUT=6, UPC_GET=7*THREADS, UPC_GET.remote=7*(THREADS-1)
#include "check.h"

shared int a[10 * THREADS];
shared [4] int b[8 * THREADS];
shared struct { int x; double y; } s;
shared int scalar;

shared int *p = &a[3];
static shared [4] int *q = b + 5;
shared [] double *member = &s.y;
shared void *generic = &scalar;
shared int *table[] = { a, &a[1], 0, [5] = a + 7 };
struct entry { const char *name; shared int *where; struct { shared [4] int *deep[2]; int n; } in; };
static struct entry entries[] = {
    { "one", &a[1], { { b, &b[6] }, 4 } },
    { .name = "two", .in.deep[1] = b + 1, .in.n = 2 },
    { "three", &scalar, { .n = 3 } },
};
shared int *null = NULL;
size_t size = sizeof(shared int *) > 0;
int plain = 5, more[] = { 1, 2, 3 };
shared int *copy_of_null = (shared int *)0;
static const struct entry *const first = &entries[0];

static shared int *counter(void)
{
    static shared int *inside = &a[2];
    static int calls = 40;
    static shared int shared_static;
    static shared [2] int shared_array[4 * THREADS];
    calls++;
    if (MYTHREAD == 0 && calls == 41)
        shared_static = 9, shared_array[3] = 4;
    CHECK(upc_threadof(&shared_static) == 0 && upc_phaseof(&shared_array[3]) == 1);
    return calls % 2 ? inside++ : &shared_static;
}

int main(void)
{
    CHECK(p == &a[3] && p - a == 3 && q == &b[5] && upc_phaseof(q) == 1 && q - b == 5);
    CHECK(member == &s.y && generic == &scalar && upc_threadof(generic) == 0);
    CHECK(table[0] == a && table[1] == a + 1 && table[2] == NULL && table[3] == NULL && table[5] == &a[7]);
    CHECK(sizeof table / sizeof table[0] == 6);
    CHECK(entries[0].where == &a[1] && entries[0].in.deep[0] == b && entries[0].in.deep[1] == &b[6] && entries[0].in.n == 4);
    CHECK(entries[1].name[0] == 't' && entries[1].where == 0 && entries[1].in.deep[0] == 0 && entries[1].in.deep[1] - b == 1);
    CHECK(entries[1].in.n == 2 && entries[2].where == &scalar && entries[2].in.n == 3 && first->name[0] == 'o');
    CHECK(null == 0 && size == 1 && plain == 5 && more[2] == 3 && copy_of_null == null);
    CHECK(counter() == &a[2]);
    upc_barrier;
    CHECK(*counter() == 9 && counter() == &a[3]);
    {
        shared int *local = &a[4], *auto_table[3] = { a, [2] = local + 1 };
        struct entry e = { "auto", local, { { q, q + 1 }, 1 } };
        shared int *literal = (struct entry){ .where = local + 2 }.where;
        CHECK(*(local - 1) == 0 && auto_table[1] == NULL && auto_table[2] == &a[5] && e.in.deep[1] - b == 6 && literal == &a[6]);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1)
        *p = 33, *entries[0].where = 11, *entries[0].in.deep[1] = 66, *member = 0.5;
    upc_barrier;
    CHECK(a[3] == 33 && a[1] == 11 && b[6] == 66 && s.y == 0.5 && *p == 33);
    return pass();
}
