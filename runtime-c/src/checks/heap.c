/* Checks of the shared heap and locks: only allocated blocks are freed, and only locks are locked. */
#include "runtime.h"

#include "checks/extent.h"
#include "checks/report.h"
#include "races/races.h"

static int block_arena(upcr_pts_t place, enum upcr_block_kind kind)
{
    return kind == UPCR_BLOCK_SHARED ? UPCR_SYMMETRIC_ARENA : 1 + (int)upcr_threadof(place);
}

void upcr_check_born(upcr_pts_t place, size_t nblocks, size_t nbytes, enum upcr_block_kind kind)
{
    upcr_block_insert(block_arena(place, kind), upcr_addrfield(place), nblocks, nbytes, kind);
}

static const struct upcr_block *recently_freed(upcr_pts_t place)
{
    int thread = (int)upcr_threadof(place);
    const struct upcr_block *dead = upcr_block_freed(UPCR_SYMMETRIC_ARENA, upcr_addrfield(place), thread);
    return dead != NULL ? dead : upcr_block_freed(1 + thread, upcr_addrfield(place), thread);
}

/* Returns the live block at place; ends the job unless place is its first byte, because nothing else may be freed. */
static struct upcr_extent block_at(upcr_pts_t place, const char *function)
{
    struct upcr_extent extent;
    uint64_t offset = upcr_addrfield(place);
    size_t thread = upcr_threadof(place);
    char name[UPCR_NAME_CAPACITY];
    if (thread >= (size_t)upcr_threads)
        upcr_check_die(NULL, CHECK_FREE_NOTHING, function, thread, (size_t)offset);
    bool inside = upcr_extent_before((int)thread, offset, &extent) && offset < extent.high;
    if (inside && extent.block == NULL)
        upcr_check_die(NULL, CHECK_FREE_STATIC, function, upcr_extent_name(&extent, name, sizeof name));
    const struct upcr_block *dead = inside ? NULL : recently_freed(place);
    if (dead != NULL)
        upcr_check_die(NULL, CHECK_FREE_TWICE, function, upcr_block_name(dead, name, sizeof name), dead->freed_by);
    if (!inside)
        upcr_check_die(NULL, CHECK_FREE_NOTHING, function, thread, (size_t)offset);
    /* The part of a distributed block on another thread begins at the same offset as that on thread 0. */
    if (offset != extent.low || (extent.block->kind == UPCR_BLOCK_SHARED && thread != 0)) {
        unsigned long long into = offset - extent.low;
        if (extent.block->kind == UPCR_BLOCK_SHARED)
            into = into / extent.block->nbytes * extent.block->nbytes * (unsigned)upcr_threads + thread * extent.block->nbytes + into % extent.block->nbytes;
        upcr_check_die(NULL, CHECK_FREE_INSIDE, function, into, upcr_extent_name(&extent, name, sizeof name));
    }
    return extent;
}

/* Accesses to what lay here before do not race with those to what will. */
static void forget(const struct upcr_extent *extent)
{
    int first = extent->block->kind == UPCR_BLOCK_SHARED ? 0 : extent->thread, end = extent->block->kind == UPCR_BLOCK_SHARED ? upcr_threads : first + 1;
    for (int thread = first; thread < end; thread++) {
        uint64_t bytes = upcr_block_bytes(extent->block, thread);
        if (bytes != 0)
            upcr_races.forget(upcr_make((size_t)thread, 0, extent->low), bytes);
    }
}

void upcr_check_freed(upcr_pts_t place, const char *function, bool lock)
{
    struct upcr_extent extent = block_at(place, function);
    char name[UPCR_NAME_CAPACITY];
    if ((extent.block->kind == UPCR_BLOCK_LOCK) != lock)
        upcr_check_die(NULL, CHECK_FREE_KIND, function, upcr_extent_name(&extent, name, sizeof name));
    if (upcr_phaseof(place) != 0)
        upcr_check_die(NULL, CHECK_FREE_PHASE, function, upcr_phaseof(place));
    if (upcr_is_racing())
        forget(&extent);
    if (!upcr_block_remove(block_arena(place, extent.block->kind), extent.low)) {
        /* Another thread has freed it between the two queries. */
        const struct upcr_block *dead = recently_freed(place);
        upcr_check_die(NULL, CHECK_FREE_TWICE, function, upcr_extent_name(&extent, name, sizeof name), dead != NULL ? dead->freed_by : -1);
    }
}

/* A lock that has been found, which is there until some block is freed. */
struct found_lock {
    uint64_t offset;
    uint32_t thread;
    uint32_t generation; /* + 1; 0: empty */
};

void upcr_check_lock(upcr_pts_t place, const char *function)
{
    enum { FOUND_LOCKS = 256, LOCK_BITS = 6 };
    static struct found_lock found[FOUND_LOCKS];
    struct upcr_extent extent;
    size_t thread = upcr_threadof(place);
    uint64_t offset = upcr_addrfield(place);
    upcr_blocks_doubt();
    struct found_lock *entry = &found[((offset >> LOCK_BITS) + thread) % FOUND_LOCKS];
    uint32_t generation = thread < (size_t)upcr_threads ? upcr_blocks_generation((int)thread) + 1 : 0;
    if (generation != 0 && entry->generation == generation && entry->offset == offset && entry->thread == thread)
        return;
    if (thread < (size_t)upcr_threads && upcr_extent_before((int)thread, offset, &extent) && extent.block != NULL && extent.low == offset &&
        extent.block->kind == UPCR_BLOCK_LOCK) {
        *entry = (struct found_lock){offset, (uint32_t)thread, generation};
        return;
    }
    const struct upcr_block *dead = thread < (size_t)upcr_threads ? upcr_block_freed(1 + (int)thread, offset, (int)thread) : NULL;
    if (dead != NULL && dead->kind == UPCR_BLOCK_LOCK)
        upcr_check_die(NULL, CHECK_LOCK_FREED, function, dead->freed_by);
    upcr_check_die(NULL, CHECK_LOCK_NONE, function, thread, (size_t)offset);
}
