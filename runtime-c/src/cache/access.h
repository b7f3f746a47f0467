/* Reads and writes through the cache. An access begins with a lookup, and the caller can see the result before the access uses it. This
   file raises no events; events.c does. */
#ifndef UPCR_CACHE_ACCESS_H
#define UPCR_CACHE_ACCESS_H

#include "cache/probe.h"

/* An access that has begun. Exactly one of the functions below that take one ends it. */
struct upcr_access {
    struct upcr_span span;
    struct upcr_probe probe;
    uint32_t turn; /* for upcr_cache_leave, unless the outcome is UPCR_OUTCOME_UNCACHEABLE */
};

/* How a read got its bytes. */
enum upcr_served {
    UPCR_SERVED_BY_LINE,  /* lines that were in the cache */
    UPCR_SERVED_BY_FETCH, /* a line that was fetched for it */
    UPCR_SERVED_AROUND,   /* a message for these bytes, because a fetch of the line would not pay */
    UPCR_SERVED_WITHOUT,  /* the same, without a look at the lines */
};

/* Begins an access to n bytes: looks them up. Between this and the end of the access nothing else uses the cache. */
struct upcr_access upcr_access_begin(enum upcr_direction direction, upcr_pts_t place, size_t n) UPCR_HIDDEN;

/* Ends an access that is not made. */
void upcr_access_cancel(const struct upcr_access *access) UPCR_HIDDEN;

/* Reads. Returns where the bytes are until the next access: in buffer or in the cache. */
const void *upcr_access_read(const struct upcr_access *access, void *buffer, upcr_pts_t src, enum upcr_served *served) UPCR_HIDDEN;

/* Writes. */
void upcr_access_write(const struct upcr_access *access, upcr_pts_t dst, const void *src) UPCR_HIDDEN;

/* Begins a read and makes it, for a caller to whom the result of the lookup does not matter. */
const void *upcr_access_read_at_once(void *buffer, upcr_pts_t src, size_t n) UPCR_HIDDEN;

/* Reads into the buffer, unless the line is missing and would not be fetched. False: nothing is read. */
bool upcr_access_read_by_lines(void *buffer, upcr_pts_t src, size_t n) UPCR_HIDDEN;

/* Begins a write and makes it. Pre: n > 0. */
void upcr_access_write_at_once(upcr_pts_t dst, const void *src, size_t n) UPCR_HIDDEN;

/* Makes a write that takes no more than a put: without the cache, and in a bypassed region. False: nothing is written. */
bool upcr_access_write_around(upcr_pts_t dst, const void *src, size_t n) UPCR_HIDDEN;

/* Begins an update. True: the line has the bytes, or was fetched because that pays, and the caller reads and writes them. */
bool upcr_access_update_in_line(upcr_pts_t place, size_t n) UPCR_HIDDEN;

/* ---- Shortcuts ----------------------------------------------------------------------------------------------------- */

/* Reads from a line that upcr_probe_set has found, and makes it the recent line of a place, from which emitted code reads by itself.
   from: the first byte in the line; mapped: where that byte would be if it were mapped. */
static inline const void *upcr_access_hit(struct upcr_recent *recent, uint32_t slot, const char *mapped, size_t from)
{
    *recent =
        (struct upcr_recent){mapped - from, upcr_cache.line_bytes, (const char *)upcr_cached_data(slot), &upcr_cache.reads[upcr_cache.line[slot].region].hits};
    upcr_cache.has_recent = true;
    ++*recent->hits;
    return recent->data + from;
}

/* Writes bytes that share a word of the mask to a line that is in its set and dirty. False: it is not. */
static inline __attribute__((__always_inline__)) bool upcr_access_join(uint64_t tag, size_t from, const void *src, size_t n)
{
    uint32_t before = upcr_collect_enter(), slot = upcr_cached_set(tag);
    struct upcr_cached *line = &upcr_cache.line[slot];
    bool coalesced = line->tag == tag && (line->state & UPCR_LINE_DIRTY) != 0;
    if (__builtin_expect(coalesced, 1)) {
        unsigned char *to = upcr_cached_data(slot) + from;
        if (n == 8)
            memcpy(to, src, 8);
        else if (n == 4)
            memcpy(to, src, 4);
        else
            memcpy(to, src, n);
        upcr_cached_dirty(slot)[from / 64] |= ~(uint64_t)0 >> (64 - n) << from % 64;
        upcr_cache.writes[line->region].hits++;
    }
    upcr_collect_leave(before);
    return coalesced;
}

/* The shortcut for most writes: to a dirty line, or to a region that bypasses the cache without a lookup. False: nothing is
   written. */
static inline __attribute__((__always_inline__)) bool upcr_access_write_quickly(upcr_pts_t dst, const void *src, size_t n)
{
    uint64_t offset = upcr_addrfield(dst), tag = upcr_cached_tag(upcr_threadof(dst), offset);
    size_t from = offset & (upcr_cache.line_bytes - 1);
    uint8_t region = upcr_region_at(upcr_threadof(dst), offset);
    bool share_word = n - 1 < 64 - from % 64; /* false if n is 0 */
    if (share_word && upcr_region_backs_off(&upcr_cache.writes[region], upcr_cache.held[region])) {
        upcr_pending = 1;
        upcr_tp_put(dst, src, n);
        return true;
    }
    return __builtin_expect(upcr_cache_is_on && share_word && upcr_access_join(tag, from, src, n), 1);
}

#endif
