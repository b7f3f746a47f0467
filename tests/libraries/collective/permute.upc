// question: does upc_all_permute send thread i's block to thread perm[i], as each combination of flags promises?
// counts: UPC_ALL_PERMUTE=624*THREADS, UPC_ALL_ALLOC=2*THREADS, UPC_BARRIER=1562*THREADS
#include "relocation.h"

shared int perm[THREADS];

/* A rotation, of the threads in their order or backwards. */
static int target(const struct shape *s, int thread)
{
    return ((s->round % 2 ? thread : THREADS - 1 - thread) + s->root) % THREADS;
}

static size_t source_bytes(const struct shape *s, int thread)
{
    /* A thread that may write into this source may write into this element of perm, too. */
    perm[thread] = target(s, thread);
    return s->n;
}

static size_t destination_bytes(const struct shape *s, int thread)
{
    return s->n;
}

static struct origin origin_of(const struct shape *s, int thread, size_t index)
{
    struct origin o = {0, index};
    while (target(s, o.thread) != thread)
        o.thread++;
    return o;
}

static void operate(const struct shape *s, shared void *dst, shared void *src, upc_flag_t flags)
{
    upc_all_permute(dealt_out(dst, offset_of(s)), dealt_out(src, offset_of(s)), perm, s->n, flags);
}

int main(void)
{
    return test_relocation();
}
