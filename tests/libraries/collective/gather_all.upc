// question: does upc_all_gather_all bring the threads' blocks together on each, as each combination of flags promises?
// counts: UPC_ALL_GATHER_ALL=624*THREADS, UPC_ALL_ALLOC=2*THREADS, UPC_BARRIER=1562*THREADS
#include "relocation.h"

static size_t source_bytes(const struct shape *s, int thread)
{
    return s->n;
}

static size_t destination_bytes(const struct shape *s, int thread)
{
    return s->n * THREADS;
}

static struct origin origin_of(const struct shape *s, int thread, size_t index)
{
    struct origin o = {(int)(index / s->n), index % s->n};
    return o;
}

static void operate(const struct shape *s, shared void *dst, shared void *src, upc_flag_t flags)
{
    upc_all_gather_all(dealt_out(dst, offset_of(s)), dealt_out(src, offset_of(s)), s->n, flags);
}

int main(void)
{
    return test_relocation();
}
