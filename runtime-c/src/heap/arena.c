#include "runtime.h"

#include <string.h>

#include "heap/arena.h"

/* The header before every payload. Sizes count header and payload. The last two words exist in free blocks only. */
struct block {
    uint64_t size;     /* bit 0: free */
    uint64_t previous; /* size of the previous block, 0 for the first; the upper 16 bits mark a header */
    uint64_t list_next;
    uint64_t list_previous;
};

enum { FREE = 1, SMALLEST = sizeof(struct block), COLUMN_BITS = 4, LINEAR_LIMIT = 256 };

#define MARK      ((uint64_t)0xb10c << 48)
#define MARK_MASK ((uint64_t)0xffff << 48)

static struct block *block_at(char *segment, uint64_t offset)
{
    return (struct block *)(void *)(segment + offset);
}

static uint64_t size_of(const struct block *block)
{
    return block->size & ~(uint64_t)FREE;
}

static bool is_free(const struct block *block)
{
    return (block->size & FREE) != 0;
}

static uint64_t previous_size(const struct block *block)
{
    return block->previous & ~MARK_MASK;
}

static uint64_t round_up(uint64_t n, uint64_t granule)
{
    return (n + granule - 1) & ~(granule - 1);
}

/* Computes which free list holds blocks of this size: one row of 16-byte steps, then 16 columns for each power of
   two. */
static void list_of(uint64_t size, unsigned *row, unsigned *column)
{
    if (size < LINEAR_LIMIT) {
        *row = 0;
        *column = (unsigned)(size / (LINEAR_LIMIT / UPCR_ARENA_COLUMNS));
        return;
    }
    unsigned log = 63 - (unsigned)__builtin_clzll(size);
    *row = log - 7; /* log2(LINEAR_LIMIT) is 8 */
    *column = (unsigned)(size >> (log - COLUMN_BITS)) & (UPCR_ARENA_COLUMNS - 1);
}

static void list_insert(struct upcr_arena *arena, char *segment, uint64_t offset)
{
    struct block *block = block_at(segment, offset);
    unsigned row, column;
    list_of(size_of(block), &row, &column);
    uint64_t head = arena->free_list[row][column];
    block->list_next = head;
    block->list_previous = 0;
    if (head != 0)
        block_at(segment, head)->list_previous = offset;
    arena->free_list[row][column] = offset;
    arena->row_map |= (uint64_t)1 << row;
    arena->column_map[row] |= (uint16_t)(1u << column);
}

static void list_remove(struct upcr_arena *arena, char *segment, uint64_t offset)
{
    struct block *block = block_at(segment, offset);
    unsigned row, column;
    list_of(size_of(block), &row, &column);
    if (block->list_next != 0)
        block_at(segment, block->list_next)->list_previous = block->list_previous;
    if (block->list_previous != 0) {
        block_at(segment, block->list_previous)->list_next = block->list_next;
        return;
    }
    arena->free_list[row][column] = block->list_next;
    if (block->list_next == 0) {
        arena->column_map[row] &= (uint16_t) ~(1u << column);
        if (arena->column_map[row] == 0)
            arena->row_map &= ~((uint64_t)1 << row);
    }
}

/* Writes size and state of the block at offset, and its size into the header of the next block. */
static void set_block(char *segment, uint64_t offset, uint64_t size, bool free)
{
    struct block *block = block_at(segment, offset);
    block->size = size | (free ? FREE : 0);
    struct block *next = block_at(segment, offset + size);
    next->previous = MARK | size;
}

/* Makes the bytes [offset, offset + size) a free block and merges it with its free neighbours. Pre: the `previous`
   in its header is correct. */
static void release(struct upcr_arena *arena, char *segment, uint64_t offset, uint64_t size)
{
    struct block *next = block_at(segment, offset + size);
    if (is_free(next)) {
        list_remove(arena, segment, offset + size);
        size += size_of(next);
    }
    uint64_t before = previous_size(block_at(segment, offset));
    if (before != 0 && is_free(block_at(segment, offset - before))) {
        list_remove(arena, segment, offset - before);
        offset -= before;
        size += before;
    }
    set_block(segment, offset, size, true);
    list_insert(arena, segment, offset);
}

void upcr_arena_init(struct upcr_arena *arena, char *segment, uint64_t at, uint64_t granule, bool downward)
{
    arena->low = arena->high = at;
    arena->granule = granule;
    arena->downward = downward;
    block_at(segment, at)->size = 0;
    block_at(segment, at)->previous = MARK;
}

static uint64_t block_size_for(const struct upcr_arena *arena, uint64_t bytes)
{
    uint64_t size = round_up(bytes + UPCR_ARENA_HEADER, arena->granule);
    return size < SMALLEST ? SMALLEST : size;
}

/* Returns the bytes that may have to be cut off in front to reach an alignment beyond the granule's. They must hold
   a block of their own. */
static uint64_t alignment_slack(const struct upcr_arena *arena, uint64_t align)
{
    return align <= arena->granule ? 0 : align + SMALLEST;
}

uint64_t upcr_arena_need(const struct upcr_arena *arena, uint64_t bytes, uint64_t align)
{
    return round_up(block_size_for(arena, bytes) + alignment_slack(arena, align), arena->granule);
}

/* Finds a free block of at least `size` bytes: the first block of the first list whose blocks are all large enough,
   otherwise any block that fits in the list that `size` itself belongs to. 0 if there is none. */
static uint64_t find(const struct upcr_arena *arena, char *segment, uint64_t size)
{
    unsigned row, column;
    uint64_t rounded = size;
    if (size >= LINEAR_LIMIT)
        rounded += ((uint64_t)1 << (63 - (unsigned)__builtin_clzll(size) - COLUMN_BITS)) - 1;
    list_of(rounded, &row, &column);
    unsigned columns = arena->column_map[row] & (~0u << column);
    if (columns == 0) {
        uint64_t rows = arena->row_map & (~(uint64_t)0 << row << 1);
        if (rows != 0) {
            row = (unsigned)__builtin_ctzll(rows);
            columns = arena->column_map[row];
        }
    }
    if (columns != 0)
        return arena->free_list[row][__builtin_ctz(columns)];
    list_of(size, &row, &column);
    uint64_t offset = arena->free_list[row][column];
    while (offset != 0 && size_of(block_at(segment, offset)) < size)
        offset = block_at(segment, offset)->list_next;
    return offset;
}

uint64_t upcr_arena_alloc(struct upcr_arena *arena, char *segment, uint64_t bytes, uint64_t align)
{
    uint64_t size = block_size_for(arena, bytes);
    uint64_t offset = find(arena, segment, size + alignment_slack(arena, align));
    if (offset == 0)
        return 0;
    uint64_t have = size_of(block_at(segment, offset));
    list_remove(arena, segment, offset);

    uint64_t front = round_up(offset + UPCR_ARENA_HEADER, align) - (offset + UPCR_ARENA_HEADER);
    if (align > arena->granule && front != 0) {
        if (front < SMALLEST)
            front += align;
        set_block(segment, offset, front, true);
        list_insert(arena, segment, offset);
        offset += front;
        have -= front;
    }
    if (have - size < SMALLEST)
        size = have;
    set_block(segment, offset, size, false);
    if (have > size) {
        set_block(segment, offset + size, have - size, true);
        list_insert(arena, segment, offset + size);
    }
    arena->in_use += size;
    return offset + UPCR_ARENA_HEADER;
}

void upcr_arena_grow(struct upcr_arena *arena, char *segment, uint64_t bytes)
{
    if (arena->downward) {
        arena->low -= bytes;
        block_at(segment, arena->low)->previous = MARK;
        release(arena, segment, arena->low, bytes);
        return;
    }
    uint64_t offset = arena->high;
    arena->high += bytes;
    struct block *end = block_at(segment, arena->high);
    end->size = 0;
    release(arena, segment, offset, bytes);
}

uint64_t upcr_arena_payload(const struct upcr_arena *arena, char *segment, uint64_t offset)
{
    if (offset < arena->low + UPCR_ARENA_HEADER || offset >= arena->high || offset % UPCR_ARENA_HEADER != 0)
        return 0;
    offset -= UPCR_ARENA_HEADER;
    const struct block *block = block_at(segment, offset);
    uint64_t size = size_of(block);
    if ((block->previous & MARK_MASK) != MARK || is_free(block) || size == 0 || size > arena->high - offset ||
        block_at(segment, offset + size)->previous != (MARK | size))
        return 0;
    return size - UPCR_ARENA_HEADER;
}

bool upcr_arena_free(struct upcr_arena *arena, char *segment, uint64_t offset)
{
    uint64_t payload = upcr_arena_payload(arena, segment, offset);
    if (payload == 0)
        return false;
    arena->in_use -= payload + UPCR_ARENA_HEADER;
    release(arena, segment, offset - UPCR_ARENA_HEADER, payload + UPCR_ARENA_HEADER);
    return true;
}

uint64_t upcr_arena_trim(struct upcr_arena *arena, char *segment, uint64_t at_least)
{
    if (arena->low == arena->high)
        return 0;
    uint64_t offset = arena->downward ? arena->low : arena->high - previous_size(block_at(segment, arena->high));
    struct block *block = block_at(segment, offset);
    uint64_t size = size_of(block);
    if (!is_free(block) || size < at_least)
        return 0;
    list_remove(arena, segment, offset);
    if (arena->downward) {
        arena->low += size;
        block_at(segment, arena->low)->previous = MARK;
    } else {
        arena->high -= size;
        block->size = 0;
    }
    return size;
}

bool upcr_arena_find(const struct upcr_arena *arena, char *segment, uint64_t offset, struct upcr_arena_block *found)
{
    uint64_t high = arena->high;
    if (offset < arena->low || offset >= high)
        return false;
    for (uint64_t at = arena->low, size; at < high; at += size) {
        const struct block *block = block_at(segment, at);
        size = size_of(block);
        if ((block->previous & MARK_MASK) != MARK || size < SMALLEST || size > high - at)
            return false;
        if (offset - at >= size)
            continue;
        *found = (struct upcr_arena_block){at + UPCR_ARENA_HEADER, size - UPCR_ARENA_HEADER, is_free(block)};
        return true;
    }
    return false;
}
