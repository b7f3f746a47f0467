/* The table of lines: sets, victims, and the bytes written. */
#include "cache/lines.h"

struct upcr_cache upcr_cache;
struct upcr_recent upcr_recent[UPCR_RECENT];

void upcr_cache_forget_recent(void)
{
    for (size_t i = 0; upcr_cache.has_recent && i < UPCR_RECENT; i++)
        upcr_recent[i].bytes = 0;
    upcr_cache.has_recent = false;
}

void upcr_cached_list(uint32_t slot)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    if ((line->state & UPCR_LINE_LISTED) == 0) {
        line->state |= UPCR_LINE_LISTED;
        upcr_cache.listed[upcr_cache.listed_count++] = slot;
    }
}

void upcr_cached_call(uint32_t slot, uint64_t tag, uint8_t region)
{
    upcr_cache.held[region]++;
    upcr_cache.line[slot].region = region;
    upcr_cache.line[slot].tag = tag;
}

static size_t words(void)
{
    return upcr_cache.line_bytes / 64;
}

void upcr_cached_drop(uint32_t slot)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    if (line->tag != 0)
        upcr_cache.held[line->region]--;
    line->tag = 0;
    upcr_cache_forget_recent();
    if ((line->state & UPCR_LINE_DIRTY) != 0)
        memset(upcr_cached_dirty(slot), 0, words() * sizeof(uint64_t));
    line->state &= UPCR_LINE_OF_SLOT;
}

/* Copies the known bytes of a line, and its mask. */
static void copy_bytes(uint32_t to, uint32_t from)
{
    const uint64_t *dirty = upcr_cached_dirty(from);
    unsigned char *into = upcr_cached_data(to);
    const unsigned char *bytes = upcr_cached_data(from);
    bool full = (upcr_cache.line[from].state & UPCR_LINE_FULL) != 0;
    if (full)
        memcpy(into, bytes, upcr_cache.line_bytes);
    if ((upcr_cache.line[from].state & UPCR_LINE_DIRTY) == 0)
        return;
    memcpy(upcr_cached_dirty(to), dirty, words() * sizeof(uint64_t));
    for (size_t word = 0; !full && word < words(); word++)
        if (dirty[word] != 0)
            memcpy(into + word * 64, bytes + word * 64, 64);
}

/* Moves the line to a victim's slot, whose own line is written back to memory. */
static void throw_out(uint32_t slot)
{
    uint32_t to = upcr_cache.lines + upcr_cache.next_victim;
    struct upcr_cached *line = &upcr_cache.line[slot], *victim = &upcr_cache.line[to];
    upcr_cache.next_victim = (upcr_cache.next_victim + 1) % UPCR_CACHE_VICTIMS;
    if (victim->tag != 0) {
        if ((victim->state & UPCR_LINE_DIRTY) != 0)
            upcr_writeback_line(to);
        upcr_cached_drop(to);
    }
    upcr_cached_list(to);
    copy_bytes(to, slot);
    victim->state |= line->state & UPCR_LINE_FULL;
    if ((line->state & UPCR_LINE_DIRTY) != 0)
        upcr_cached_soil(to);
    upcr_cached_call(to, line->tag, line->region);
    upcr_cached_drop(slot);
    upcr_cache.victims = 0;
    for (to = upcr_cache.lines; to < upcr_cache.lines + UPCR_CACHE_VICTIMS; to++)
        if (upcr_cache.line[to].tag != 0)
            upcr_cache.victims |= upcr_victim_bit(upcr_cache.line[to].tag);
}

uint32_t upcr_cached_claim(uint64_t tag)
{
    uint32_t slot = upcr_cached_set(tag);
    struct upcr_cached *line = &upcr_cache.line[slot];
    if (line->tag != 0) {
        if ((line->state & UPCR_LINE_PREFETCHED) != 0)
            upcr_stream_arrive(slot);
        throw_out(slot);
    }
    upcr_cached_list(slot);
    return slot;
}

void upcr_cached_soil(uint32_t slot)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    if ((line->state & UPCR_LINE_WRITTEN) == 0) {
        upcr_cache.written[upcr_cache.written_count++] = slot;
        upcr_collect_note(UPCR_COLLECTOR_CACHE, upcr_cache.written_count);
    }
    line->state |= UPCR_LINE_DIRTY | UPCR_LINE_WRITTEN;
}

void upcr_cached_store(uint32_t slot, size_t from, size_t to, const void *bytes)
{
    uint64_t *dirty = upcr_cached_dirty(slot);
    memcpy(upcr_cached_data(slot) + from, bytes, to - from);
    for (size_t word = from / 64; word * 64 < to; word++)
        dirty[word] |= upcr_word_bits(word, from, to);
    upcr_cached_soil(slot);
}

void upcr_cached_clean(uint32_t slot, size_t from, size_t to)
{
    uint64_t *dirty = upcr_cached_dirty(slot);
    for (size_t word = from / 64; word * 64 < to; word++)
        dirty[word] &= ~upcr_word_bits(word, from, to);
}

bool upcr_cached_covers(uint32_t slot, size_t from, size_t to)
{
    const uint64_t *dirty = upcr_cached_dirty(slot);
    for (size_t word = from / 64; word * 64 < to; word++)
        if ((~dirty[word] & upcr_word_bits(word, from, to)) != 0)
            return false;
    return true;
}

uint32_t upcr_cached_runs(uint32_t slot)
{
    const uint64_t *dirty = upcr_cached_dirty(slot);
    uint32_t runs = 0;
    uint64_t before = 0; /* the last bit of the word before */
    for (size_t word = 0; word < words(); word++) {
        runs += (uint32_t)__builtin_popcountll(dirty[word] & ~(dirty[word] << 1 | before));
        before = dirty[word] >> 63;
    }
    return runs;
}

uint32_t upcr_cached_written(uint32_t slot)
{
    uint32_t bytes = 0;
    for (size_t word = 0; word < words(); word++)
        bytes += (uint32_t)__builtin_popcountll(upcr_cached_dirty(slot)[word]);
    return bytes;
}

void upcr_cached_overlay(uint32_t slot, size_t from, size_t to, unsigned char *bytes)
{
    const uint64_t *dirty = upcr_cached_dirty(slot);
    const unsigned char *data = upcr_cached_data(slot);
    if ((upcr_cache.line[slot].state & UPCR_LINE_DIRTY) == 0)
        return;
    for (size_t word = from / 64; word * 64 < to; word++)
        for (uint64_t bits = dirty[word] & upcr_word_bits(word, from, to); bits != 0; bits &= bits - 1) {
            size_t at = word * 64 + (size_t)__builtin_ctzll(bits);
            bytes[at - from] = data[at];
        }
}

size_t upcr_cached_extent(uint64_t tag)
{
    uint64_t left = upcr_cache.end - upcr_cached_offset(tag);
    return left < upcr_cache.line_bytes ? (size_t)left : upcr_cache.line_bytes;
}

void upcr_cached_complete(uint32_t slot)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    size_t extent = upcr_cached_extent(line->tag);
    upcr_tp_get(upcr_cache.scratch, upcr_cached_place(line->tag), extent);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in++;
    upcr_cache.counts.bytes_in += extent;
    upcr_cached_overlay(slot, 0, extent, upcr_cache.scratch);
    memcpy(upcr_cached_data(slot), upcr_cache.scratch, extent);
    line->state |= UPCR_LINE_FULL;
}
