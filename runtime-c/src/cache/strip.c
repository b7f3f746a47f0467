/* Strips: the parts of an array that a loop reads at once (upcr_strip_get). A strip that is read for the second time since the
   last flush is fetched into lines, from which it is copied the next time. What is read only once evicts nothing. */
#include "cache/bulk.h"
#include "cache/probe.h"

enum {
    MARKS = 4096,
    FILLINGS = 2,  /* how often strips fill the cache before they are judged by how many lines of strips were found in it */
    PAUSE = 16384, /* strips that are read without lines after a bad judgement */
};

/* Strips that were read since the last flush: each mark is computed from a strip's first line and the number of the flush. */
static uint32_t marks[MARKS], era;
static uint32_t pause;
static uint64_t fetched, found; /* lines, since the last judgement */

/* The lines of a strip. */
struct strip {
    struct upcr_span span;
    uint64_t first;
    uint32_t count;
};

void upcr_strip_forget(void)
{
    era++;
}

/* Returns whether the strip was read before, and remembers that it is now. */
static bool is_repeated(const struct strip *strip)
{
    uint64_t mixed = (strip->first ^ (uint64_t)era << 32) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t now = (uint32_t)(mixed >> 16) | 1, *mark = &marks[mixed >> 52]; /* the upper bits depend on all */
    bool repeated = *mark == now;
    *mark = now;
    return repeated;
}

/* Copies the strip from its lines. False: some of its bytes are not in the cache. */
static bool copy_from_lines(const struct strip *strip, unsigned char *buffer)
{
    uint64_t start = strip->span.offset, end = start + strip->span.n;
    for (uint32_t i = 0; i < strip->count; i++) {
        uint64_t tag = strip->first + i, at = upcr_cached_offset(tag);
        size_t from = start > at ? (size_t)(start - at) : 0;
        size_t to = end - at < upcr_cache.line_bytes ? (size_t)(end - at) : upcr_cache.line_bytes;
        uint32_t slot = upcr_probe_slot(tag);
        if (slot == UPCR_NO_SLOT)
            return false;
        if ((upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0)
            upcr_stream_arrive(slot);
        if ((upcr_cache.line[slot].state & UPCR_LINE_FULL) == 0)
            return false;
        memcpy(buffer + (at + from - start), upcr_cached_data(slot) + from, to - from);
    }
    return true;
}

/* Frees a slot. Clean lines do not become victims: a strip has more lines than there are victims' slots. */
static void free_slot(uint64_t tag)
{
    uint32_t slot = upcr_cached_set(tag);
    if ((upcr_cache.line[slot].state & (UPCR_LINE_DIRTY | UPCR_LINE_PREFETCHED)) == 0)
        upcr_cached_drop(slot);
    (void)upcr_cached_claim(tag);
}

/* Returns whether a line is in the cache; it is then full. */
static bool is_full(uint64_t tag)
{
    uint32_t slot = upcr_probe_slot(tag);
    if (slot == UPCR_NO_SLOT)
        return false;
    if ((upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0)
        upcr_stream_arrive(slot);
    if ((upcr_cache.line[slot].state & UPCR_LINE_FULL) == 0)
        upcr_cached_complete(slot);
    return true;
}

/* Fetches lines by one message. Pre: none of them is in the cache, and their slots are adjacent. */
static void fetch_missing(uint64_t first, uint32_t count)
{
    uint32_t set = upcr_cached_set(first);
    uint64_t last = first + count - 1;
    struct upcr_batch batch = {0};
    for (uint32_t i = 0; i < count; i++)
        free_slot(first + i);
    size_t bytes = (size_t)(upcr_cached_offset(last) + upcr_cached_extent(last) - upcr_cached_offset(first));
    upcr_tp_start_get(upcr_cached_data(set), upcr_cached_place(first), bytes, &batch);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in += count;
    upcr_cache.counts.bytes_in += bytes;
    upcr_tp_batch_wait(&batch);
    for (uint32_t i = 0; i < count; i++) {
        upcr_cache.line[set + i].state |= UPCR_LINE_FULL;
        upcr_cached_call(set + i, first + i, upcr_region_of(first + i));
    }
    fetched += count;
}

/* Fetches those lines of the strip that are missing. False: they are not side by side, or have no adjacent slots. */
static bool fetch_lines(const struct strip *strip)
{
    uint64_t first = strip->first, end = first + strip->count;
    while (first < end && is_full(first))
        first++;
    while (first < end && is_full(end - 1))
        end--;
    uint32_t count = (uint32_t)(end - first);
    if (count > upcr_cache.lines - upcr_cached_set(first) || count > upcr_cache.lines / 4)
        return false;
    for (uint64_t tag = first; tag < end; tag++)
        if (upcr_probe_slot(tag) != UPCR_NO_SLOT)
            return false;
    if (count != 0)
        fetch_missing(first, count);
    upcr_cache.counts.strips_in++;
    return true;
}

/* Counts strips that are fetched into lines, and pauses if they are hardly found there. */
static void judge(void)
{
    if (fetched < FILLINGS * (uint64_t)upcr_cache.lines)
        return;
    if (upcr_cache.adapts && found < fetched)
        pause = PAUSE;
    fetched = found = 0;
}

/* Reads the strip from lines that it has, or is worth to get. */
static bool read_from_lines(const struct strip *strip, unsigned char *buffer)
{
    if (pause != 0) {
        pause--;
        return false;
    }
    if (copy_from_lines(strip, buffer)) {
        found += strip->count;
        upcr_cache.counts.strip_hits++;
        return true;
    }
    if (!is_repeated(strip) || !fetch_lines(strip))
        return false;
    judge();
    return copy_from_lines(strip, buffer);
}

void upcr_remote_get_strip(void *buffer, upcr_pts_t src, upcr_size n)
{
    struct upcr_span span = upcr_span_of(src, n);
    if (!upcr_cache_is_on || n <= upcr_cache.line_bytes || upcr_cache.busy || !upcr_span_is_cacheable(span)) {
        upcr_remote_get(buffer, src, n);
        return;
    }
    uint64_t first = upcr_cached_tag(span.thread, span.offset), last = upcr_cached_tag(span.thread, span.offset + n - 1);
    struct strip strip = {span, first, (uint32_t)(last - first) + 1};
    uint32_t before = upcr_cache_enter();
    upcr_pending = 1;
    if (!read_from_lines(&strip, buffer))
        upcr_bulk_read(buffer, src, n);
    upcr_cache_leave(before);
}
