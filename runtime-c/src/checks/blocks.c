/* A set of block starts per arena: one bit for each 16 bytes of the segment, and above it levels of summaries in which a bit says that a
   word of the level below is not zero. Finding the start before an address takes a step or two per level, however large the blocks; a
   block costs one bit and a record. The memory is reserved in full and committed where it is touched. */
#include "runtime.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "checks/blocks.h"
#include "wait.h"

enum {
    GRANULE_BITS = 4,  /* blocks begin at multiples of 16 bytes */
    RECORD_BITS = 5,   /* and at least 32 bytes apart */
    LEVELS = 8,
    GRAVEYARD = 256, /* freed blocks remembered in each arena */
};

struct arena {
    struct upcr_mutex lock;        /* held by whoever changes the sets */
    _Atomic uint64_t *level[LEVELS];
    struct upcr_block *records;    /* by offset >> RECORD_BITS */
    struct upcr_block dead[GRAVEYARD];
    _Atomic uint32_t deaths;
};

struct table {
    _Atomic uint32_t generation;
    struct arena arenas[];
};

static struct table *table;
static int levels; /* in use: the highest is a single word */

static void *reserve(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        upcr_refuse("cannot reserve %zu bytes of addresses for the checks of -fupc-checks (a smaller shared heap may help: -shared-heap "
                    "SIZE)",
                    bytes);
    return at;
}

void upcr_blocks_prepare(const struct upcr_plan *plan)
{
    uint64_t bytes = plan->static_bytes + plan->heap_bytes + (1 << 20); /* rounded up by the transport */
    uint64_t words[LEVELS];
    uint64_t bits = bytes >> GRANULE_BITS;
    for (levels = 0; levels == 0 || words[levels - 1] > 1; levels++) {
        words[levels] = bits / 64 + 1;
        bits = words[levels];
    }
    table = reserve(sizeof *table + (size_t)(plan->threads + 1) * sizeof(struct arena));
    for (int a = 0; a <= plan->threads; a++) {
        struct arena *arena = &table->arenas[a];
        for (int l = 0; l < levels; l++)
            arena->level[l] = reserve(words[l] * sizeof(uint64_t));
        arena->records = reserve(((bytes >> RECORD_BITS) + 1) * sizeof(struct upcr_block));
    }
}

static struct upcr_block *record(struct arena *arena, uint64_t offset)
{
    return &arena->records[offset >> RECORD_BITS];
}

static void set_bit(struct arena *arena, uint64_t index)
{
    for (int l = 0; l < levels; l++, index >>= 6)
        atomic_fetch_or(&arena->level[l][index >> 6], (uint64_t)1 << (index & 63));
}

static void clear_bit(struct arena *arena, uint64_t index)
{
    for (int l = 0; l < levels; l++, index >>= 6) {
        uint64_t mask = (uint64_t)1 << (index & 63);
        if ((atomic_fetch_and(&arena->level[l][index >> 6], ~mask) & ~mask) != 0)
            break;
    }
}

static uint64_t word_at(struct arena *arena, int level, uint64_t index)
{
    return atomic_load_explicit(&arena->level[level][index], memory_order_acquire);
}

enum finding { FOUND, NOT_THERE, DISTURBED };

/* The highest bit set at or below *index. DISTURBED: a summary spoke of a bit that another thread has cleared since. */
static enum finding find_bit(struct arena *arena, uint64_t *index)
{
    uint64_t at = *index;
    /* Bits up to `at` on the lowest level, below `at` on the others: what is in the word of `at` itself has been seen. */
    uint64_t mask = ~(uint64_t)0 >> (63 - (at & 63));
    int level = 0;
    uint64_t word = word_at(arena, 0, at >> 6) & mask;
    while (word == 0) {
        at >>= 6;
        if (++level == levels)
            return NOT_THERE;
        word = word_at(arena, level, at >> 6) & (((uint64_t)1 << (at & 63)) - 1);
    }
    at = at >> 6 << 6 | (63 - (uint64_t)__builtin_clzll(word));
    while (level-- > 0) {
        word = word_at(arena, level, at);
        if (word == 0)
            return DISTURBED;
        at = at << 6 | (63 - (uint64_t)__builtin_clzll(word));
    }
    *index = at;
    return FOUND;
}

const struct upcr_block *upcr_block_before(int which, uint64_t offset)
{
    struct arena *arena = &table->arenas[which];
    uint64_t index = offset >> GRANULE_BITS;
    enum finding finding = find_bit(arena, &index);
    if (finding == DISTURBED) {
        upcr_mutex_lock(&arena->lock);
        index = offset >> GRANULE_BITS;
        finding = find_bit(arena, &index);
        upcr_mutex_unlock(&arena->lock);
    }
    return finding == FOUND ? record(arena, index << GRANULE_BITS) : NULL;
}

void upcr_block_insert(int which, uint64_t offset, size_t nblocks, size_t nbytes, enum upcr_block_kind kind)
{
    struct arena *arena = &table->arenas[which];
    struct upcr_block *block = record(arena, offset);
    upcr_mutex_lock(&arena->lock);
    *block = (struct upcr_block){.offset = offset, .nblocks = nblocks, .nbytes = nbytes, .kind = kind};
    set_bit(arena, offset >> GRANULE_BITS);
    upcr_mutex_unlock(&arena->lock);
}

bool upcr_block_remove(int which, uint64_t offset)
{
    struct arena *arena = &table->arenas[which];
    struct upcr_block *block = record(arena, offset);
    upcr_mutex_lock(&arena->lock);
    bool there = block->kind != UPCR_BLOCK_NONE && block->offset == offset;
    if (there) {
        struct upcr_block *dead = &arena->dead[atomic_fetch_add(&arena->deaths, 1) % GRAVEYARD];
        *dead = *block;
        dead->freed_by = upcr_mythread;
        block->kind = UPCR_BLOCK_NONE;
        clear_bit(arena, offset >> GRANULE_BITS);
    }
    upcr_mutex_unlock(&arena->lock);
    atomic_fetch_add(&table->generation, 1);
    return there;
}

const struct upcr_block *upcr_block_freed(int which, uint64_t offset, int thread)
{
    struct arena *arena = &table->arenas[which];
    uint32_t deaths = atomic_load(&arena->deaths);
    for (uint32_t i = 1; i <= GRAVEYARD && i <= deaths; i++) {
        const struct upcr_block *dead = &arena->dead[(deaths - i) % GRAVEYARD];
        if (offset >= dead->offset && offset - dead->offset < upcr_block_bytes(dead, thread))
            return dead;
    }
    return NULL;
}

size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

uint64_t upcr_block_bytes(const struct upcr_block *block, int thread)
{
    if (block->kind != UPCR_BLOCK_SHARED)
        return block->nbytes;
    return upc_affinitysize(block->nblocks * block->nbytes, block->nbytes, (size_t)thread);
}

uint32_t upcr_blocks_generation(void)
{
    return atomic_load_explicit(&table->generation, memory_order_acquire);
}
