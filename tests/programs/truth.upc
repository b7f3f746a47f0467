// question: is a pointer-to-shared that becomes a _Bool its comparison with NULL, in every place where it can become one?
// flags: -Wno-upc-pointer-to-int
// threads: 1 3
// counts: UPC_BARRIER=3*THREADS, UPC_PUT=4, UPC_PUT.remote=0, UPC_GET=2*THREADS+4, UPC_GET.remote=2*(THREADS-1), C_FUNC=7*THREADS
#include <stdbool.h>

#include "check.h"

shared int x[8 * THREADS];
shared [2] int y[4 * THREADS];
shared [] char *shared stored;
struct flags { bool whole; bool bit : 1; };
shared struct flags shared_flags;
static shared int *null;
static shared int *start = x;
static bool at_start = x, at_null = (shared int *)0;
static struct flags in_static = {&x[1], y};
typedef bool truth;
enum which { NO, YES };

static bool returned(shared void *p)
{
    return p;
}

static int passed(bool flag, _Bool other)
{
    return flag * 2 + other;
}

static int old(flag) bool flag;
{
    return flag;
}

int main(void)
{
    shared [2] int *p = &y[3];
    shared [] int *own = (shared [] int *)&x[MYTHREAD];
    bool flag = start, many[3] = {null, start, p}, *at = &flag;
    const truth constant = own;
    struct flags f = {p, p}, g = {.bit = null};
    CHECK(flag == 1 && !many[0] && many[1] == 1 && many[2] == 1 && constant && f.whole && f.bit && !g.bit && !g.whole);
    CHECK(at_start && !at_null && in_static.whole && in_static.bit);
    flag = null;
    CHECK(!flag && (*at = p) == 1 && flag && (flag = null) == 0);
    f.bit = null, f.whole = null, g.bit = p;
    CHECK(!f.bit && !f.whole && g.bit);
    CHECK(returned(p) && !returned(null) && passed(null, p) == 1 && passed(start, null) == 2 && old((bool)p) == 1);
    CHECK((bool)p && !(bool)null && (truth)own == 1 && (bool)p + (bool)own == 2 && ((bool){p}) && !((bool[2]){null, p})[0]);
    CHECK(((struct flags){p, null}).whole && (p ? true : false) && (p && own) && !(null || NULL) && !null);
    flag = MYTHREAD < THREADS ? p : (shared [2] int *)0;
    CHECK(flag && (flag = (null, p)) && ({ flag = p; flag; }));
    flag = false, flag |= (bool)p, flag &= (bool)own;
    CHECK(flag);
    upc_barrier;
    if (MYTHREAD == 0) {
        CHECK(!stored && (shared_flags.whole = stored) == 0);
        stored = (shared [] char *)&x[0];
        shared_flags.bit = stored, shared_flags.whole = stored;
    }
    upc_barrier;
    CHECK(shared_flags.bit == 1 && shared_flags.whole == 1);
    int n = 0;
    while (p)
        n++, p = NULL;
    do
        n++;
    while (null);
    for (p = &y[0]; p; p = 0)
        n++;
    if (!null && own)
        n++;
    CHECK(n == 4);
    /* Other arithmetic types take the address, by a cast alone. */
    CHECK((unsigned long)start == upc_addrfield(start) && (unsigned char)null == 0 && (enum which)null == NO && (long long)own != 0);
    return pass();
}
