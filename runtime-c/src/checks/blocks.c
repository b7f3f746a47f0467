/* A set of block starts for each arena: one bit for each 16 bytes of the segment, and above it levels of summaries,
   where a bit means that a word of the level below is not zero. Finding the start before an address takes a step or
   two per level, however large the blocks are; a block costs one bit and a record. */
#include "runtime.h"

#include <stdatomic.h>
#include <string.h>

#include "checks/blocks.h"
#include "transport/transport.h"
#include "wait.h"

enum {
    GRANULE_BITS = 4, /* blocks begin at multiples of 16 bytes */
    RECORD_BITS = 5,  /* blocks begin at least 32 bytes apart */
    LEVELS = 8,
    GRAVEYARD = 256, /* freed blocks remembered in each arena */
};

/* The head of an arena. The levels follow it, lowest first, and then the records, indexed by offset >> RECORD_BITS. */
struct arena {
    struct upcr_mutex lock; /* held while the sets are changed */
    struct upcr_block dead[GRAVEYARD];
    _Atomic uint32_t deaths;
    _Atomic uint32_t generation;
};

enum { OWN, SYMMETRIC, ARENAS };

static int levels;                  /* number of levels in use: the highest is a single word */
static size_t level_offset[LEVELS]; /* offset in an arena */
static size_t records_offset, arena_bytes;
static size_t side_offset;
static uint32_t doubts;

size_t upcr_blocks_bytes(size_t segment_bytes)
{
    const size_t line = UPCR_CACHE_LINE;
    uint64_t bits = segment_bytes >> GRANULE_BITS, words;
    size_t offset = (sizeof(struct arena) + line - 1) / line * line;
    levels = 0;
    do {
        words = bits / 64 + 1;
        level_offset[levels++] = offset;
        offset += words * sizeof(uint64_t);
        bits = words;
    } while (words > 1);
    records_offset = (offset + line - 1) / line * line;
    arena_bytes = records_offset + ((segment_bytes >> RECORD_BITS) + 1) * sizeof(struct upcr_block);
    arena_bytes = (arena_bytes + line - 1) / line * line;
    return ARENAS * arena_bytes;
}

void upcr_blocks_start(size_t offset)
{
    side_offset = offset;
}

/* Returns the thread whose side memory contains an arena. */
static int home_of(int which)
{
    return which == UPCR_SYMMETRIC_ARENA ? 0 : which - 1;
}

/* Returns an arena; NULL: it is not mapped. */
static struct arena *arena_of(int which)
{
    char *side = upcr_tp_side(home_of(which));
    if (side == NULL)
        return NULL;
    return (struct arena *)(void *)(side + side_offset + (which == UPCR_SYMMETRIC_ARENA ? SYMMETRIC : OWN) * arena_bytes);
}

static _Atomic uint64_t *level_of(struct arena *arena, int level)
{
    return (_Atomic uint64_t *)(void *)((char *)arena + level_offset[level]);
}

static struct upcr_block *record(struct arena *arena, uint64_t offset)
{
    return (struct upcr_block *)(void *)((char *)arena + records_offset) + (offset >> RECORD_BITS);
}

static void set_bit(struct arena *arena, uint64_t index)
{
    /* Publishes the record, and the bit of the level below, to word_at. */
    for (int l = 0; l < levels; l++, index >>= 6)
        atomic_fetch_or_explicit(&level_of(arena, l)[index >> 6], (uint64_t)1 << (index & 63), memory_order_release);
}

static void clear_bit(struct arena *arena, uint64_t index)
{
    for (int l = 0; l < levels; l++, index >>= 6) {
        uint64_t mask = (uint64_t)1 << (index & 63);
        /* A bit that is cleared publishes nothing. */
        if ((atomic_fetch_and_explicit(&level_of(arena, l)[index >> 6], ~mask, memory_order_relaxed) & ~mask) != 0)
            break;
    }
}

static uint64_t word_at(struct arena *arena, int level, uint64_t index)
{
    /* Acquires the record, or the level below, from set_bit. */
    return atomic_load_explicit(&level_of(arena, level)[index], memory_order_acquire);
}

enum finding { FOUND, NOT_THERE, DISTURBED };

/* Finds the highest bit set at or below *index. DISTURBED: a summary indicated a bit that another thread has cleared
   since. */
static enum finding find_bit(struct arena *arena, uint64_t *index)
{
    uint64_t at = *index;
    /* The search includes `at` itself only on the lowest level; on the others it looks below `at`, whose word has
       been searched. */
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

/* ---- Queries to an arena, where it is mapped ------------------------------------------------------------------------ */

/* A query, and its answer. */
struct question {
    enum { INSERT, REMOVE, BEFORE, FREED } what;
    int which;  /* arena */
    int thread; /* the asking thread; FREED: the thread whose part contains the offset */
    uint64_t offset;
    bool found;
    struct upcr_block block;
};

static void answer_before(struct arena *arena, struct question *q)
{
    uint64_t index = q->offset >> GRANULE_BITS;
    enum finding finding = find_bit(arena, &index);
    if (finding == DISTURBED) {
        upcr_mutex_lock(&arena->lock);
        index = q->offset >> GRANULE_BITS;
        finding = find_bit(arena, &index);
        upcr_mutex_unlock(&arena->lock);
    }
    q->found = finding == FOUND;
    if (q->found)
        q->block = *record(arena, index << GRANULE_BITS);
}

static void answer_insert(struct arena *arena, const struct question *q)
{
    upcr_mutex_lock(&arena->lock);
    *record(arena, q->offset) = q->block;
    set_bit(arena, q->offset >> GRANULE_BITS);
    upcr_mutex_unlock(&arena->lock);
}

static void answer_remove(struct arena *arena, struct question *q)
{
    struct upcr_block *block = record(arena, q->offset);
    upcr_mutex_lock(&arena->lock);
    q->found = block->kind != UPCR_BLOCK_NONE && block->offset == q->offset;
    if (q->found) {
        uint32_t deaths = atomic_load_explicit(&arena->deaths, memory_order_relaxed);
        struct upcr_block *dead = &arena->dead[deaths % GRAVEYARD];
        *dead = *block;
        dead->freed_by = q->thread;
        /* Publishes the freed block to answer_freed. */
        atomic_store_explicit(&arena->deaths, deaths + 1, memory_order_release);
        block->kind = UPCR_BLOCK_NONE;
        clear_bit(arena, q->offset >> GRANULE_BITS);
    }
    upcr_mutex_unlock(&arena->lock);
    /* Publishes the removal to upcr_blocks_generation. */
    atomic_fetch_add_explicit(&arena->generation, 1, memory_order_release);
}

static void answer_freed(struct arena *arena, struct question *q)
{
    uint32_t deaths = atomic_load_explicit(&arena->deaths, memory_order_acquire);
    for (uint32_t i = 1; i <= GRAVEYARD && i <= deaths; i++) {
        const struct upcr_block *dead = &arena->dead[(deaths - i) % GRAVEYARD];
        if (q->offset < dead->offset || q->offset - dead->offset >= upcr_block_bytes(dead, q->thread))
            continue;
        q->found = true;
        q->block = *dead;
        return;
    }
}

static void answer(void *data)
{
    struct question *q = data;
    struct arena *arena = arena_of(q->which);
    switch (q->what) {
    case INSERT:
        answer_insert(arena, q);
        break;
    case REMOVE:
        answer_remove(arena, q);
        break;
    case BEFORE:
        answer_before(arena, q);
        break;
    case FREED:
        answer_freed(arena, q);
        break;
    }
}

static void ask(struct question *q)
{
    if (arena_of(q->which) != NULL)
        answer(q);
    else
        upcr_tp_call(home_of(q->which), answer, q, sizeof *q);
}

/* Returns a copy of a block that was found, valid for the next few calls. */
static const struct upcr_block *show(const struct question *q)
{
    enum { SHOWN = 8 };
    static struct upcr_block shown[SHOWN];
    static unsigned next;
    if (!q->found)
        return NULL;
    struct upcr_block *block = &shown[next++ % SHOWN];
    *block = q->block;
    return block;
}

const struct upcr_block *upcr_block_before(int which, uint64_t offset)
{
    /* An offset computed from a null pointer may lie beyond all that the arena has bits for. */
    uint64_t last = upcr_tp_segment_bytes() - 1;
    struct question q = {.what = BEFORE, .which = which, .offset = offset < last ? offset : last};
    ask(&q);
    return show(&q);
}

void upcr_block_insert(int which, uint64_t offset, size_t nblocks, size_t nbytes, enum upcr_block_kind kind)
{
    struct question q = {.what = INSERT, .which = which, .offset = offset, .block = {.offset = offset, .nblocks = nblocks, .nbytes = nbytes, .kind = kind}};
    ask(&q);
}

bool upcr_block_remove(int which, uint64_t offset)
{
    struct question q = {.what = REMOVE, .which = which, .thread = upcr_mythread, .offset = offset};
    ask(&q);
    upcr_blocks_doubt();
    return q.found;
}

const struct upcr_block *upcr_block_freed(int which, uint64_t offset, int thread)
{
    struct question q = {.what = FREED, .which = which, .thread = thread, .offset = offset};
    ask(&q);
    return show(&q);
}

size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

uint64_t upcr_block_bytes(const struct upcr_block *block, int thread)
{
    if (block->kind != UPCR_BLOCK_SHARED)
        return block->nbytes;
    return upc_affinitysize(block->nblocks * block->nbytes, block->nbytes, (size_t)thread);
}

uint32_t upcr_blocks_generation(int thread)
{
    struct arena *symmetric = arena_of(UPCR_SYMMETRIC_ARENA), *own = arena_of(1 + thread);
    uint32_t generation = symmetric != NULL && own != NULL ? 0 : doubts;
    /* Acquires the removals from answer_remove: a caller that sees a new number also sees that the block is gone. */
    if (symmetric != NULL)
        generation += atomic_load_explicit(&symmetric->generation, memory_order_acquire);
    if (own != NULL)
        generation += atomic_load_explicit(&own->generation, memory_order_acquire);
    return generation;
}

void upcr_blocks_doubt(void)
{
    doubts++;
}
