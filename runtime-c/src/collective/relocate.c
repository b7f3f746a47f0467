/* Relocalization operations (library section, "UPC Collective Utilities"). Each is a set of copies of blocks; a thread's share are those
   that read or write its own memory, so that no two threads write the same block. */
#include "collective/collective.h"

struct relocation {
    upcr_pts_t dst, src, perm;
    size_t bytes; /* of a block */
};

typedef void share_of(const struct relocation *r, int thread);

/* What one of the functions is. */
struct kind {
    const char *function;
    bool square; /* a share is one block for each thread, not a single one */
    share_of *share;
};

/* The place `index` blocks behind p, in a thread's own part of the array if p is the start of thread 0's. */
static upcr_pts_t block_on(upcr_pts_t p, int thread, size_t index, size_t bytes)
{
    return upcr_make((size_t)thread, 0, upcr_addrfield(p) + index * bytes);
}

/* The same in an array that one thread has all of. */
static upcr_pts_t block_at(upcr_pts_t p, size_t index, size_t bytes)
{
    return upcr_field(p, index * bytes);
}

static void broadcast_share(const struct relocation *r, int thread)
{
    upcr_copy(block_on(r->dst, thread, 0, r->bytes), r->src, r->bytes);
}

static void scatter_share(const struct relocation *r, int thread)
{
    upcr_copy(block_on(r->dst, thread, 0, r->bytes), block_at(r->src, (size_t)thread, r->bytes), r->bytes);
}

static void gather_share(const struct relocation *r, int thread)
{
    upcr_copy(block_at(r->dst, (size_t)thread, r->bytes), block_on(r->src, thread, 0, r->bytes), r->bytes);
}

static void gather_all_share(const struct relocation *r, int thread)
{
    /* Each thread begins with its own block, so that they do not all read from the same one. */
    for (int i = 0, from = thread; i < upcr_threads; i++, from = from + 1 == upcr_threads ? 0 : from + 1)
        upcr_copy(block_on(r->dst, thread, (size_t)from, r->bytes), block_on(r->src, from, 0, r->bytes), r->bytes);
}

static void exchange_share(const struct relocation *r, int thread)
{
    for (int i = 0, from = thread; i < upcr_threads; i++, from = from + 1 == upcr_threads ? 0 : from + 1)
        upcr_copy(block_on(r->dst, thread, (size_t)from, r->bytes), block_on(r->src, from, (size_t)thread, r->bytes), r->bytes);
}

static void permute_share(const struct relocation *r, int thread)
{
    int to;
    upcr_get(&to, block_on(r->perm, thread, 0, 0), sizeof to);
    if (to < 0 || to >= upcr_threads)
        upcr_die("upc_all_permute: perm[%d] is %d, which is no thread: perm must hold each of 0 to THREADS - 1 once", thread, to);
    upcr_copy(block_on(r->dst, to, 0, r->bytes), block_on(r->src, thread, 0, r->bytes), r->bytes);
}

struct whole {
    const struct kind *kind;
    const struct relocation *relocation;
};

static void all_shares(void *argument)
{
    const struct whole *whole = argument;
    for (int thread = 0; thread < upcr_threads; thread++)
        whole->kind->share(whole->relocation, thread);
}

static void relocate(const struct kind *kind, upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, size_t bytes, upc_flag_t flags)
{
    struct upcr_call call = upcr_call_begin(kind->function, flags);
    struct relocation relocation = {dst, src, perm, bytes};
    upcr_arguments_check(
        &(struct upcr_arguments){.function = kind->function, .dst = dst, .src = src, .perm = perm, .count = bytes, .flags = flags});
    size_t threads = (size_t)upcr_threads, copies = kind->square ? threads * threads : threads;
    bool synchronizes = call.in != UPCR_NOSYNC && call.out != UPCR_NOSYNC;
    /* Together first and last, the threads meet once if one of them does it all in between. */
    if (synchronizes && bytes <= SIZE_MAX / copies && upcr_call_is_small(copies * bytes, copies)) {
        upcr_call_alone(&call, 0, all_shares, &(struct whole){kind, &relocation});
        return;
    }
    upcr_call_enter(&call, false);
    kind->share(&relocation, upcr_mythread);
    upcr_call_leave(&call, false);
}

void upc_all_broadcast(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_scatter(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_gather(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_exchange(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags);
void upc_all_permute(upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, size_t nbytes, upc_flag_t flags);

void upc_all_broadcast(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = {"upc_all_broadcast", false, broadcast_share};
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_scatter(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = {"upc_all_scatter", false, scatter_share};
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_gather(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = {"upc_all_gather", false, gather_share};
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = {"upc_all_gather_all", true, gather_all_share};
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_exchange(upcr_pts_t dst, upcr_pts_t src, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = {"upc_all_exchange", true, exchange_share};
    relocate(&kind, dst, src, UPCR_NULL, nbytes, flags);
}

void upc_all_permute(upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, size_t nbytes, upc_flag_t flags)
{
    static const struct kind kind = {"upc_all_permute", false, permute_share};
    relocate(&kind, dst, src, perm, nbytes, flags);
}
