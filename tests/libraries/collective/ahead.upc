// question: does each relocalization operation keep its calls apart when threads get many calls ahead of one another?
// threads: 1 2 3 5
// counts: UPC_BARRIER=2*THREADS
/* Long rows of calls that synchronize by MYSYNC, of random functions, roots and sizes. Some threads are late, sometimes. */
#include "collective.h"

enum { CALLS = 3000 / LESS, MOST = 300 };

static shared char *source, *destination; /* of each thread: MOST * THREADS bytes, on all at the same address */

static unsigned char value(int call, int from, int to, size_t index)
{
    return (unsigned char)((call * 40503u + from * 977u + to * 131u + index * 2654435761u) >> 7);
}

/* Writes this thread's source as it is in call number `call`; all: a block for each thread. */
static void fill(int call, size_t n, int all)
{
    char *bytes = (char *)(source + MYTHREAD);
    for (int to = 0; to < (all ? THREADS : 1); to++)
        for (size_t i = 0; i < n; i++)
            bytes[to * n + i] = value(call, MYTHREAD, to, i);
}

/* Checks block `block` of this thread's destination. */
static void verify(int call, size_t n, int block, int from, int to)
{
    const char *bytes = (const char *)(destination + MYTHREAD) + block * n;
    for (size_t i = 0; i < n; i++)
        CHECK((unsigned char)bytes[i] == value(call, from, to, i));
}

static void one(int call, int root, size_t n, upc_flag_t flags)
{
    shared void *src = source + root, *dst = destination + root;
    switch (random_below(5)) {
    case 0:
        fill(call, n, 0);
        upc_all_broadcast(destination, src, n, flags);
        verify(call, n, 0, root, 0);
        break;
    case 1:
        fill(call, n, 1);
        upc_all_scatter(destination, src, n, flags);
        verify(call, n, 0, root, MYTHREAD);
        break;
    case 2:
        fill(call, n, 0);
        upc_all_gather(dst, source, n, flags);
        for (int t = 0; MYTHREAD == root && t < THREADS; t++)
            verify(call, n, t, t, 0);
        break;
    case 3:
        fill(call, n, 0);
        upc_all_gather_all(destination, source, n, flags);
        for (int t = 0; t < THREADS; t++)
            verify(call, n, t, t, 0);
        break;
    default:
        fill(call, n, 1);
        upc_all_exchange(destination, source, n, flags);
        for (int t = 0; t < THREADS; t++)
            verify(call, n, t, t, MYTHREAD);
        break;
    }
}

int main(void)
{
    int root = 0;
    source = upc_all_alloc(THREADS, MOST * THREADS);
    destination = upc_all_alloc(THREADS, MOST * THREADS);
    CHECK(source && destination);
    upc_barrier;
    for (int call = 0; call < CALLS; call++) {
        /* A root that stays lets its thread get ahead. */
        if (random_below(40) == 0)
            root = random_below(THREADS);
        size_t n = random_below(10) == 0 ? 1 + random_below(MOST) : 1 + random_below(16);
        one(call, root, n, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        if (random_below(16) == 0)
            delay();
    }
    return pass();
}
