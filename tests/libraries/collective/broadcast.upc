// question: does upc_all_broadcast copy one block to every thread, as each combination of flags promises?
// counts: UPC_ALL_BROADCAST=624*THREADS, UPC_ALL_ALLOC=2*THREADS, UPC_BARRIER=1562*THREADS
#include "relocation.h"

static size_t source_bytes(const struct shape *s, int thread)
{
    return thread == s->root ? s->n : 0;
}

static size_t destination_bytes(const struct shape *s, int thread)
{
    return s->n;
}

static struct origin origin_of(const struct shape *s, int thread, size_t index)
{
    struct origin o = {s->root, index};
    return o;
}

static void operate(const struct shape *s, shared void *dst, shared void *src, upc_flag_t flags)
{
    upc_all_broadcast(dealt_out(dst, offset_of(s)), part(src, s->root, offset_of(s)), s->n, flags);
}

int main(void)
{
    return test_relocation();
}
