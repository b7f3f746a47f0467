#include "cache/bulk.h"

#include "cache/probe.h"

/* What is done to a line of which the bytes [from, to) are concerned. bytes: those bytes in the transfer's buffer. */
typedef void visit(uint32_t slot, size_t from, size_t to, unsigned char *bytes);

static void visit_part(struct upcr_span span, uint64_t tag, uint32_t slot, unsigned char *bytes, visit *visit)
{
    uint64_t start = upcr_cached_offset(tag), end = span.offset + span.n;
    size_t from = span.offset > start ? (size_t)(span.offset - start) : 0;
    size_t to = end - start < upcr_cache.line_bytes ? (size_t)(end - start) : upcr_cache.line_bytes;
    visit(slot, from, to, bytes == NULL ? NULL : bytes + (start + from - span.offset));
}

/* Visits every line that the cache holds of a span, by the tags of the span or by the list of lines, whichever is shorter. */
static void visit_lines(struct upcr_span span, unsigned char *bytes, visit *visit)
{
    uint64_t first = upcr_cached_tag(span.thread, span.offset), last = upcr_cached_tag(span.thread, span.offset + span.n - 1);
    if (upcr_cache.listed_count == 0 || span.n == 0)
        return;
    if (last - first < upcr_cache.listed_count) {
        for (uint64_t tag = first; tag <= last; tag++) {
            uint32_t slot = upcr_probe_slot(tag);
            if (slot != UPCR_NO_SLOT)
                visit_part(span, tag, slot, bytes, visit);
        }
    } else {
        for (uint32_t i = 0; i < upcr_cache.listed_count; i++) {
            uint64_t tag = upcr_cache.line[upcr_cache.listed[i]].tag;
            if (tag >= first && tag <= last)
                visit_part(span, tag, upcr_cache.listed[i], bytes, visit);
        }
    }
}

/* The bytes were read from memory: what this thread has written is newer, and what the line held is older. */
static void reconcile(uint32_t slot, size_t from, size_t to, unsigned char *bytes)
{
    uint8_t state = upcr_cache.line[slot].state;
    upcr_cached_overlay(slot, from, to, bytes);
    if ((state & UPCR_LINE_FULL) != 0)
        memcpy(upcr_cached_data(slot) + from, bytes, to - from);
}

/* The bytes will be written to memory. */
static void overwrite(uint32_t slot, size_t from, size_t to, unsigned char *bytes)
{
    if ((upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0)
        upcr_stream_arrive(slot);
    memcpy(upcr_cached_data(slot) + from, bytes, to - from);
    upcr_cached_clean(slot, from, to);
}

static void release(uint32_t slot, size_t from, size_t to, unsigned char *bytes)
{
    struct upcr_cached *line = &upcr_cache.line[slot];
    (void)from, (void)to, (void)bytes;
    if ((line->state & UPCR_LINE_PREFETCHED) != 0)
        upcr_stream_arrive(slot);
    if ((line->state & UPCR_LINE_DIRTY) != 0)
        upcr_writeback_line(slot);
    upcr_cached_drop(slot);
}

void upcr_bulk_read(void *buffer, upcr_pts_t src, size_t n)
{
    upcr_cache_get_directly(buffer, src, n);
    visit_lines(upcr_span_of(src, n), buffer, reconcile);
}

void upcr_bulk_write(upcr_pts_t dst, const void *src, size_t n)
{
    /* `overwrite` only reads the bytes. */
    visit_lines(upcr_span_of(dst, n), (unsigned char *)(uintptr_t)src, overwrite);
    upcr_cache_put_directly(dst, src, n);
}

void upcr_bulk_release(upcr_pts_t place, size_t n)
{
    struct upcr_span span = upcr_span_of(place, n);
    if (upcr_cache.busy || !upcr_span_is_cacheable(span))
        return;
    uint32_t before = upcr_cache_enter();
    visit_lines(span, NULL, release);
    upcr_cache_leave(before);
}
