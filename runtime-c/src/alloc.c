/* upc_alloc and its family (library section, "Shared memory allocation functions"). */
#include "runtime.h"

#include "child.h"
#include "checks/checks.h"
#include "transport/transport.h"

/* Reports that there was not enough memory for an allocation, which then returns a null pointer-to-shared, as the
   specification requires. Programs rarely test for that, so each thread reports once what was requested, what is in
   use and how to get more. */
static void report_exhaustion(const char *function, uint64_t per_thread, const struct upcr_heap_usage *usage)
{
    static bool reported;
    char asked[32], used[32], size[32];
    if (reported)
        return;
    reported = true;
    upcr_warn("%s: out of shared memory: asked for %s per thread, %s of the %s shared heap of a thread are in use; enlarge the heap "
              "with upcrun -shared-heap SIZE, the program's own flag -shared-heap SIZE, or UPC_SHARED_HEAP_SIZE=SIZE (for example 4G)",
              function, upcr_print_size(asked, sizeof asked, per_thread), upcr_print_size(used, sizeof used, usage->in_use),
              upcr_print_size(size, sizeof size, usage->size));
}

#pragma GCC visibility push(default)
upcr_pts_t upc_alloc(size_t nbytes);
upcr_pts_t upc_local_alloc(size_t nblocks, size_t nbytes);
upcr_pts_t upc_global_alloc(size_t nblocks, size_t nbytes);
upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes);
void upc_free(upcr_pts_t ptr);
void upc_all_free(upcr_pts_t ptr);
#pragma GCC visibility pop

/* Returns the bytes on each thread when `nblocks` blocks of `nbytes` are distributed over the threads; SIZE_MAX on
   overflow. */
static size_t portion(size_t nblocks, size_t nbytes)
{
    size_t rounds = nblocks / (size_t)upcr_threads + (nblocks % (size_t)upcr_threads != 0);
    size_t bytes;
    return __builtin_mul_overflow(rounds, nbytes, &bytes) ? SIZE_MAX : bytes;
}

static upcr_pts_t allocated(size_t thread, uint64_t offset, size_t nblocks, size_t nbytes, enum upcr_block_kind kind)
{
    upcr_pts_t place = upcr_make(thread, 0, offset);
    if (upcr_is_checked())
        upcr_checks.born(place, nblocks, nbytes, kind);
    return place;
}

static upcr_pts_t alloc_local(size_t bytes, const char *function)
{
    struct upcr_heap_usage usage;
    upcr_thread_only(function);
    if (bytes == 0)
        return UPCR_NULL;
    uint64_t offset = upcr_tp_alloc_local(bytes, &usage);
    if (offset != 0)
        return allocated((size_t)upcr_mythread, offset, 1, bytes, UPCR_BLOCK_LOCAL);
    report_exhaustion(function, bytes, &usage);
    return UPCR_NULL;
}

static upcr_pts_t alloc_symmetric(size_t nblocks, size_t nbytes, const char *function)
{
    struct upcr_heap_usage usage;
    size_t bytes = portion(nblocks, nbytes);
    upcr_thread_only(function);
    if (bytes == 0)
        return UPCR_NULL;
    uint64_t offset = upcr_tp_alloc_symmetric(bytes, &usage);
    if (offset != 0)
        return allocated(0, offset, nblocks, nbytes, UPCR_BLOCK_SHARED);
    report_exhaustion(function, bytes, &usage);
    return UPCR_NULL;
}

upcr_pts_t upc_alloc(size_t nbytes)
{
    return alloc_local(nbytes, "upc_alloc");
}

upcr_pts_t upc_local_alloc(size_t nblocks, size_t nbytes)
{
    size_t bytes;
    if (__builtin_mul_overflow(nblocks, nbytes, &bytes))
        bytes = SIZE_MAX;
    return alloc_local(bytes, "upc_local_alloc");
}

upcr_pts_t upc_global_alloc(size_t nblocks, size_t nbytes)
{
    return alloc_symmetric(nblocks, nbytes, "upc_global_alloc");
}

upcr_pts_t upc_all_alloc(size_t nblocks, size_t nbytes)
{
    struct {
        upcr_pts_t place;
        size_t nblocks, nbytes;
    } made = {UPCR_NULL, nblocks, nbytes};
    upcr_collective_enter("upc_all_alloc");
    if (upcr_is_checked())
        upcr_checks.arguments((struct upcr_argument[]){upcr_number_argument("nblocks", nblocks), upcr_number_argument("nbytes", nbytes)}, 2);
    if (upcr_mythread == 0)
        made.place = alloc_symmetric(nblocks, nbytes, "upc_all_alloc");
    upcr_broadcast(&made, sizeof made, "upc_all_alloc");
    if (made.nblocks != nblocks || made.nbytes != nbytes)
        upcr_die(CHECK_ARGUMENTS_ALLOC, nblocks, nbytes, made.nblocks, made.nbytes);
    return made.place;
}

static void free_place(upcr_pts_t ptr, const char *function)
{
    size_t thread = upcr_threadof(ptr);
    upcr_thread_only(function);
    if (upcr_is_null(ptr))
        return;
    if (upcr_is_checked())
        upcr_checks.freed(ptr, function, false);
    /* What this thread has written to the block must not reach its next owner. */
    upcr_settle();
    if (upcr_phaseof(ptr) != 0 || thread >= (size_t)upcr_threads || !upcr_tp_free((int)thread, upcr_addrfield(ptr)))
        upcr_die(CHECK_FREE_UNKNOWN, function, thread, upcr_addrfield(ptr), upcr_phaseof(ptr));
}

void upc_free(upcr_pts_t ptr)
{
    free_place(ptr, "upc_free");
}

void upc_all_free(upcr_pts_t ptr)
{
    upcr_collective_enter("upc_all_free");
    if (upcr_is_checked())
        upcr_checks.arguments((struct upcr_argument[]){upcr_place_argument("ptr", ptr)}, 1);
    upcr_internal_barrier("upc_all_free");
    if (upcr_mythread == 0)
        free_place(ptr, "upc_all_free");
}
