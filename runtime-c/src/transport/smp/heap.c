/* The shared heap of an smp job. In each segment the symmetric arena grows upward from the static data, and the
   thread's own arena grows downward from the end. Either may use the space that the other leaves, so one thread's
   large array needs no tuning. */
#include "runtime.h"

#include <stdio.h>

#include "transport/smp/job.h"

enum {
    SYMMETRIC_GRANULE = UPCR_CACHE_LINE, /* no two objects share a cache line */
    LOCAL_GRANULE = 16,
    LARGE_BLOCK = 1024, /* local blocks of at least this size begin on a cache line */
    GROWTH = 64 << 10,
    TRIM = 1 << 20,     /* a free block of this size at its border is given back to the gap between the arenas */
    DISCARD = 32 << 20, /* the pages of a freed block of this size are given back to the system */
};

static struct upcr_arena *local_arena(int thread)
{
    return &smp_job->thread[thread].arena;
}

static int thread_of(const struct upcr_arena *arena)
{
    return (int)((const struct smp_thread *)(const void *)((const char *)arena - offsetof(struct smp_thread, arena)) - smp_job->thread);
}

void smp_heap_init(const struct upcr_plan *plan)
{
    uint64_t start = (host_job->heap_start + SYMMETRIC_GRANULE - 1) & ~(uint64_t)(SYMMETRIC_GRANULE - 1);
    uint64_t end = host_job->segment_bytes - UPCR_ARENA_HEADER;
    upcr_arena_init(&smp_job->symmetric, smp_segment(0), start + SYMMETRIC_GRANULE - UPCR_ARENA_HEADER, SYMMETRIC_GRANULE, false);
    for (int t = 0; t < plan->threads; t++)
        upcr_arena_init(local_arena(t), smp_segment(t), end, LOCAL_GRANULE, true);
}

/* Returns the bytes by which an arena may grow. Pre: borders held. */
static uint64_t gap(const struct upcr_arena *arena)
{
    uint64_t border = smp_job->symmetric.high + UPCR_ARENA_HEADER, lowest = UINT64_MAX;
    if (arena->downward)
        return arena->low - border;
    for (int t = 0; t < upcr_threads; t++)
        if (local_arena(t)->low < lowest)
            lowest = local_arena(t)->low;
    return lowest - border;
}

/* Grows the arena so that a request which needs `need` bytes succeeds; false if the segment has not enough space. */
static bool grow(struct upcr_arena *arena, char *segment, uint64_t need)
{
    uint64_t wanted = need > GROWTH ? need : GROWTH;
    upcr_mutex_lock(&smp_job->borders);
    uint64_t capacity = gap(arena) & ~(arena->granule - 1);
    if (wanted > capacity)
        wanted = need;
    bool fits = wanted <= capacity;
    if (fits)
        upcr_arena_grow(arena, segment, wanted);
    upcr_mutex_unlock(&smp_job->borders);
    return fits;
}

/* Gives back a large free block at the border. Pre: the arena's lock is held. */
static void trim(struct upcr_arena *arena, uint64_t at_least)
{
    bool symmetric = arena == &smp_job->symmetric;
    int thread = symmetric ? 0 : thread_of(arena), last = symmetric ? upcr_threads - 1 : thread;
    upcr_mutex_lock(&smp_job->borders);
    uint64_t bytes = upcr_arena_trim(arena, smp_segment(thread), at_least);
    if (bytes >= DISCARD) {
        uint64_t offset = arena->downward ? arena->low - bytes : arena->high + UPCR_ARENA_HEADER;
        for (; thread <= last; thread++)
            smp_segment_discard(thread, offset, bytes - (arena->downward ? 0 : UPCR_ARENA_HEADER));
    }
    upcr_mutex_unlock(&smp_job->borders);
}

static void trim_fully(struct upcr_arena *arena)
{
    upcr_mutex_lock(&arena->lock);
    trim(arena, 1);
    upcr_mutex_unlock(&arena->lock);
}

/* Shrinks the arenas on both sides of the gap as far as possible. Pre: the caller holds no lock. */
static void reclaim_for(struct upcr_arena *arena)
{
    trim_fully(&smp_job->symmetric);
    if (arena->downward)
        trim_fully(arena);
    for (int t = 0; !arena->downward && t < upcr_threads; t++)
        trim_fully(local_arena(t));
}

static uint64_t try_alloc(struct upcr_arena *arena, char *segment, size_t bytes, uint64_t align)
{
    upcr_mutex_lock(&arena->lock);
    uint64_t offset = upcr_arena_alloc(arena, segment, bytes, align);
    if (offset == 0 && grow(arena, segment, upcr_arena_need(arena, bytes, align)))
        offset = upcr_arena_alloc(arena, segment, bytes, align);
    upcr_mutex_unlock(&arena->lock);
    return offset;
}

static uint64_t alloc(struct upcr_arena *arena, char *segment, size_t bytes, uint64_t align, struct upcr_heap_usage *usage)
{
    uint64_t offset = 0;
    if (bytes < host_job->segment_bytes)
        offset = try_alloc(arena, segment, bytes, align);
    if (offset == 0 && bytes < host_job->segment_bytes) {
        reclaim_for(arena);
        offset = try_alloc(arena, segment, bytes, align);
    }
    usage->size = host_job->heap_bytes;
    usage->in_use = arena->in_use;
    return offset;
}

uint64_t upcr_tp_alloc_symmetric(size_t bytes, struct upcr_heap_usage *usage)
{
    uint64_t offset = alloc(&smp_job->symmetric, smp_segment(0), bytes, SYMMETRIC_GRANULE, usage);
    uint64_t most = 0;
    /* The thread with the fullest local heap limits the symmetric one. */
    if (offset == 0)
        for (int t = 0; t < upcr_threads; t++)
            if (local_arena(t)->in_use > most)
                most = local_arena(t)->in_use;
    usage->in_use += most;
    return offset;
}

uint64_t upcr_tp_alloc_local(size_t bytes, struct upcr_heap_usage *usage)
{
    uint64_t align = bytes >= LARGE_BLOCK ? UPCR_CACHE_LINE : LOCAL_GRANULE;
    uint64_t offset = alloc(local_arena(upcr_mythread), smp_segment(upcr_mythread), bytes, align, usage);
    usage->in_use += smp_job->symmetric.in_use;
    return offset;
}

bool upcr_tp_free(int thread, uint64_t offset)
{
    /* The border cannot move below a block in use, so reading it without the lock is safe for every valid pointer. */
    bool symmetric = offset < *(volatile uint64_t *)&smp_job->symmetric.high;
    struct upcr_arena *arena = symmetric ? &smp_job->symmetric : local_arena(thread);
    char *segment = smp_segment(symmetric ? 0 : thread);
    if (symmetric && thread != 0)
        return false;
    upcr_mutex_lock(&arena->lock);
    uint64_t bytes = upcr_arena_payload(arena, segment, offset);
    for (int t = symmetric ? 0 : thread; bytes >= DISCARD && t <= (symmetric ? upcr_threads - 1 : thread); t++)
        smp_segment_discard(t, offset, bytes);
    bool freed = upcr_arena_free(arena, segment, offset);
    if (freed)
        trim(arena, TRIM);
    upcr_mutex_unlock(&arena->lock);
    return freed;
}

/* Describes a place in the shared heap. Blocks of upc_all_alloc and upc_global_alloc are at the same offset in all
   segments. */
void host_describe_heap(int thread, uint64_t offset, char *text, size_t capacity)
{
    bool symmetric = offset < smp_job->symmetric.high;
    const struct upcr_arena *arena = symmetric ? &smp_job->symmetric : &smp_job->thread[thread].arena;
    struct upcr_arena_block block;
    if (!upcr_arena_find(arena, smp_segment(symmetric ? 0 : thread), offset, &block) || block.free)
        snprintf(text, capacity, "shared memory of thread %d that is not allocated", thread);
    else if (offset < block.start)
        snprintf(text, capacity, "before a block of the shared heap of thread %d", thread);
    else
        snprintf(text, capacity, "byte %llu of the up to %llu bytes allocated by %s on thread %d", (unsigned long long)(offset - block.start),
                 (unsigned long long)block.bytes, symmetric ? "upc_all_alloc or upc_global_alloc" : "upc_alloc", thread);
}
