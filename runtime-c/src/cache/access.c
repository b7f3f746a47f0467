/* Reads and writes by way of the cache, and transfers that go by it. */
#include "cache/lines.h"
#include "remote.h"
#include "gasp/hooks.h"

#ifdef UPCR_REMOTE

/* A part of a segment. */
struct span {
    size_t thread;
    uint64_t offset;
    size_t n;
};

static struct span span_of(upcr_pts_t place, size_t n)
{
    return (struct span){upcr_threadof(place), upcr_addrfield(place), n};
}

/* Whether lines of it may be had at all: what is no object is left to the transport, which knows what to say. */
static bool is_in_segment(struct span span)
{
    return span.thread < (size_t)upcr_threads && span.offset >= UPCR_STATIC_START && span.offset <= upcr_cache.end &&
           span.n <= upcr_cache.end - span.offset;
}

static void get_directly(void *dst, upcr_pts_t src, size_t n)
{
    upcr_cache.counts.gets++;
    upcr_tp_get(dst, src, n);
}

static void put_directly(upcr_pts_t dst, const void *src, size_t n)
{
    upcr_cache.counts.puts++;
    upcr_tp_put(dst, src, n);
}

/* The same for a few bytes that go by the cache; measured. */
static void get_few(void *dst, upcr_pts_t src, size_t n)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_GET);
    get_directly(dst, src, n);
    upcr_cost_end(UPCR_COST_GET, begin, 1);
}

static void put_few(upcr_pts_t dst, const void *src, size_t n)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_PUT);
    put_directly(dst, src, n);
    upcr_cost_end(UPCR_COST_PUT, begin, 1);
}

static struct upcr_touch touch_of(uint64_t tag, size_t from, size_t to)
{
    return (struct upcr_touch){tag, (uint16_t)from, (uint16_t)to};
}

/* ---- Transfers that go by the cache -------------------------------------------------------------------------------- */

/* What is done to a line of which the bytes [from, to) are concerned; bytes: those of the transfer that belong there. */
typedef void visit(uint32_t slot, size_t from, size_t to, unsigned char *bytes);

static void visit_part(struct span span, uint64_t tag, uint32_t slot, unsigned char *bytes, visit *visit)
{
    uint64_t start = upcr_cached_offset(tag), end = span.offset + span.n;
    size_t from = span.offset > start ? (size_t)(span.offset - start) : 0;
    size_t to = end - start < upcr_cache.line_bytes ? (size_t)(end - start) : upcr_cache.line_bytes;
    visit(slot, from, to, bytes == NULL ? NULL : bytes + (start + from - span.offset));
}

/* Visits every line that is there, by their tags or by the list of lines, whichever is shorter. */
static void visit_lines(struct span span, unsigned char *bytes, visit *visit)
{
    uint64_t first = upcr_cached_tag(span.thread, span.offset), last = upcr_cached_tag(span.thread, span.offset + span.n - 1);
    if (upcr_cache.listed_count == 0 || span.n == 0)
        return;
    if (last - first < upcr_cache.listed_count) {
        for (uint64_t tag = first; tag <= last; tag++) {
            uint32_t slot = upcr_cached_find(tag);
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

/* The bytes were read from memory: what this thread has written is newer, and what it remembers is older. */
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

void upcr_cache_release(upcr_pts_t place, size_t n)
{
    struct span span = span_of(place, n);
    if (upcr_cache.busy || !is_in_segment(span))
        return;
    uint32_t before = upcr_cache_enter();
    visit_lines(span, NULL, release);
    upcr_cache_leave(before);
    upcr_cache_report_invalidated();
}

/* Puts that were started and are not done. A line that is fetched meanwhile may hold the bytes as they were before: it is dropped when the
   put is known to be done. */
enum { WATCHED_PUTS = 64 };
static struct watched_put {
    const struct upcr_batch *batch;
    upcr_pts_t place;
    size_t n;
} watched_puts[WATCHED_PUTS];
static size_t watched_count;

void upcr_cache_watch_put(upcr_pts_t place, size_t n, struct upcr_batch *batch)
{
    if (watched_count == WATCHED_PUTS) {
        upcr_tp_batch_wait(batch);
        return;
    }
    watched_puts[watched_count++] = (struct watched_put){batch, place, n};
}

void upcr_cache_puts_done(const struct upcr_batch *batch)
{
    for (size_t i = 0; i < watched_count;) {
        struct watched_put put = watched_puts[i];
        if (put.batch != batch) {
            i++;
            continue;
        }
        watched_puts[i] = watched_puts[--watched_count];
        upcr_cache_release(put.place, put.n);
    }
}

static const void *read_bulk(void *buffer, upcr_pts_t src, size_t n)
{
    get_directly(buffer, src, n);
    visit_lines(span_of(src, n), buffer, reconcile);
    return buffer;
}

static void write_bulk(upcr_pts_t dst, const void *src, size_t n)
{
    /* overwrite only reads them. */
    visit_lines(span_of(dst, n), (unsigned char *)(uintptr_t)src, overwrite);
    put_directly(dst, src, n);
}

/* ---- Reads --------------------------------------------------------------------------------------------------------- */

static uint32_t fetch(uint64_t tag, uint8_t region)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_FILL);
    uint32_t slot = upcr_cached_claim(tag);
    size_t extent = upcr_cached_extent(tag);
    struct upcr_batch batch = {0};
    upcr_tp_start_get(upcr_cached_data(slot), upcr_cached_place(tag), extent, &batch);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in++;
    upcr_cache.counts.bytes_in += extent;
    upcr_stream_miss(tag);
    upcr_tp_batch_wait(&batch);
    upcr_cost_end(UPCR_COST_FILL, begin, 1);
    upcr_cache.line[slot].state |= UPCR_LINE_FULL;
    upcr_cached_call(slot, tag, region);
    return slot;
}

/* Where the bytes [from, to) of a line can be read: in the line or in buffer. */
static const unsigned char *read_line(uint64_t tag, size_t from, size_t to, unsigned char *buffer, enum upcr_outcome *outcome)
{
    uint32_t slot = upcr_cached_find(tag);
    if (slot != UPCR_NO_SLOT) {
        struct upcr_cached *line = &upcr_cache.line[slot];
        if ((line->state & UPCR_LINE_PREFETCHED) != 0)
            upcr_stream_arrive(slot);
        if ((line->state & UPCR_LINE_TRIGGER) != 0)
            upcr_stream_advance(slot);
        if ((line->state & UPCR_LINE_FULL) != 0 || upcr_cached_covers(slot, from, to)) {
            upcr_cache.reads[line->region].hits++;
            return upcr_cached_data(slot) + from;
        }
    }
    uint8_t region = upcr_region_of(tag);
    if (!upcr_region_wants_read(region, touch_of(tag, from, to))) {
        get_few(buffer, upcr_field(upcr_cached_place(tag), from), to - from);
        if (slot != UPCR_NO_SLOT)
            upcr_cached_overlay(slot, from, to, buffer);
        *outcome = UPCR_OUTCOME_BYPASS;
        return buffer;
    }
    if (slot == UPCR_NO_SLOT)
        slot = fetch(tag, region);
    else
        upcr_cached_complete(slot);
    *outcome = UPCR_OUTCOME_MISS;
    return upcr_cached_data(slot) + from;
}

/* Pre: n <= line_bytes: at most two lines. */
static const void *read_small(unsigned char *buffer, struct span span, enum upcr_outcome *outcome)
{
    uint64_t tag = upcr_cached_tag(span.thread, span.offset);
    size_t from = span.offset & (upcr_cache.line_bytes - 1), first = upcr_cache.line_bytes - from;
    if (span.n <= first)
        return read_line(tag, from, from + span.n, buffer, outcome);
    const unsigned char *at = read_line(tag, from, from + first, buffer, outcome);
    if (at != buffer)
        memcpy(buffer, at, first);
    at = read_line(tag + 1, 0, span.n - first, buffer + first, outcome);
    if (at != buffer + first)
        memcpy(buffer + first, at, span.n - first);
    return buffer;
}

static __attribute__((__noinline__)) const void *read_slowly(bool reported, void *buffer, upcr_pts_t src, size_t n)
{
    struct span span = span_of(src, n);
    enum upcr_outcome outcome = UPCR_OUTCOME_HIT;
    uint64_t brought = upcr_cache.counts.bytes_in;
    const void *at;
    if (upcr_cache.busy || !is_in_segment(span)) {
        get_directly(buffer, src, n);
        return buffer;
    }
    uint32_t before = upcr_cache_enter();
    if (n <= upcr_cache.line_bytes) {
        at = read_small(buffer, span, &outcome);
    } else {
        at = read_bulk(buffer, src, n);
        outcome = UPCR_OUTCOME_BYPASS;
    }
    upcr_cache_leave(before);
    if (!reported) {
        upcr_cache.lost_dirty = 0;
        return at;
    }
    /* A tool that accesses shared memory moves lines. */
    if (at != buffer)
        memcpy(buffer, at, n);
    upcr_cache_report_read(n, outcome, upcr_cache.counts.bytes_in - brought);
    return buffer;
}

/* Whether a read takes more than to look into the cache. */
static bool brings_line(struct span span)
{
    uint64_t first = upcr_cached_tag(span.thread, span.offset), last = upcr_cached_tag(span.thread, span.offset + span.n - 1);
    size_t from = span.offset & (upcr_cache.line_bytes - 1);
    if (!upcr_cache_is_on || upcr_cache.busy || !is_in_segment(span) || first != last)
        return true;
    uint32_t slot = upcr_cached_find(first);
    if (slot == UPCR_NO_SLOT || (upcr_cache.line[slot].state & (UPCR_LINE_PREFETCHED | UPCR_LINE_TRIGGER)) != 0)
        return true;
    return (upcr_cache.line[slot].state & UPCR_LINE_FULL) == 0 && !upcr_cached_covers(slot, from, from + span.n);
}

/* What is not a hit in its set. */
static __attribute__((__noinline__)) const void *read_otherwise(upcr_counted counted, void *buffer, upcr_pts_t src, size_t n)
{
    uint64_t tag = upcr_cached_tag(upcr_threadof(src), upcr_addrfield(src));
    size_t from = upcr_addrfield(src) & (upcr_cache.line_bytes - 1);
    bool reported = counted == 0 && upcr_cache_is_reported();
    if (counted != 0 && brings_line(span_of(src, n)) && upcr_events.report_late(counted, src, buffer, n)) {
        const void *at = read_otherwise(0, buffer, src, n);
        upcr_events.recalled(counted, src, buffer, n);
        return at;
    }
    if (reported && brings_line(span_of(src, n)))
        ++*upcr_events.slow;
    if (!upcr_cache_is_on) {
        get_directly(buffer, src, n);
        return buffer;
    }
    if (upcr_cache.line[upcr_cached_set(tag)].tag != tag && from + n <= upcr_cache.line_bytes &&
        upcr_region_passes(&upcr_cache.reads[upcr_region_of(tag)], tag)) {
        get_few(buffer, src, n);
        return buffer;
    }
    upcr_pending = 1;
    return read_slowly(reported, buffer, src, n);
}

/* A hit in its set: the line is now the recent one. */
static const void *hit(uint32_t slot, const char *mapped, size_t from)
{
    upcr_recent = (struct upcr_recent){mapped - from, upcr_cache.line_bytes, (const char *)upcr_cached_data(slot),
                                       &upcr_cache.reads[upcr_cache.line[slot].region].hits};
    ++*upcr_recent.hits;
    return upcr_recent.data + from;
}

/* The same where events are reported: the next read is reported, too. */
static __attribute__((__noinline__)) const void *hit_reported(uint32_t slot, size_t from, void *buffer, size_t n)
{
    upcr_cache.reads[upcr_cache.line[slot].region].hits++;
    memcpy(buffer, upcr_cached_data(slot) + from, n);
    upcr_cache_report_read(n, UPCR_OUTCOME_HIT, 0);
    return buffer;
}

static inline __attribute__((__always_inline__)) const void *read_few(upcr_counted counted, void *buffer, upcr_pts_t src, upcr_size n)
{
    uint64_t offset = upcr_addrfield(src), tag = upcr_cached_tag(upcr_threadof(src), offset);
    size_t from = offset & (upcr_cache.line_bytes - 1);
    uint32_t slot = upcr_cached_set(tag);
    const struct upcr_cached *line = &upcr_cache.line[slot];
    if (__builtin_expect(upcr_cache_is_on && line->tag == tag && (line->state & (UPCR_LINE_FULL | UPCR_LINE_TRIGGER)) == UPCR_LINE_FULL &&
                             from + n <= upcr_cache.line_bytes,
                         1))
        return counted == 0 && upcr_cache_is_reported() ? hit_reported(slot, from, buffer, n) : hit(slot, upcr_addr(src), from);
    return read_otherwise(counted, buffer, src, n);
}

/* Here and not in remote.c, for this is the way of every read that hits. */
const void *upcr_remote_read(void *buffer, upcr_pts_t src, upcr_size n)
{
    return read_few(0, buffer, src, n);
}

const void *upcr_remote_read_counted(upcr_counted counted, void *buffer, upcr_pts_t src, upcr_size n)
{
    return read_few(counted, buffer, src, n);
}

/* ---- Writes -------------------------------------------------------------------------------------------------------- */

/* A line that is not there is not fetched: what is written of it is all that is known. */
static void write_line(uint64_t tag, size_t from, size_t to, const unsigned char *bytes)
{
    uint32_t slot = upcr_cached_find(tag);
    if (slot == UPCR_NO_SLOT) {
        uint8_t region = upcr_region_of(tag);
        if (!upcr_region_wants_write(region, touch_of(tag, from, to))) {
            put_few(upcr_field(upcr_cached_place(tag), from), bytes, to - from);
            return;
        }
        uint64_t begin = upcr_cost_begin(UPCR_COST_BEGIN);
        slot = upcr_cached_claim(tag);
        upcr_cost_end(UPCR_COST_BEGIN, begin, 1);
        upcr_cached_call(slot, tag, region);
        upcr_region_begin(region, slot);
    } else {
        if ((upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0)
            upcr_stream_arrive(slot);
        upcr_cache.writes[upcr_cache.line[slot].region].hits++;
    }
    upcr_cached_store(slot, from, to, bytes);
}

static __attribute__((__noinline__)) void write_slowly(upcr_pts_t dst, const void *src, size_t n)
{
    struct span span = span_of(dst, n);
    if (upcr_cache.busy || !is_in_segment(span)) {
        put_directly(dst, src, n);
        return;
    }
    uint32_t before = upcr_cache_enter();
    uint64_t tag = upcr_cached_tag(span.thread, span.offset);
    size_t from = span.offset & (upcr_cache.line_bytes - 1), first = upcr_cache.line_bytes - from;
    if (n <= first) {
        write_line(tag, from, from + n, src);
    } else if (n <= upcr_cache.line_bytes) {
        write_line(tag, from, from + first, src);
        write_line(tag + 1, 0, n - first, (const unsigned char *)src + first);
    } else {
        write_bulk(dst, src, n);
    }
    upcr_cache_leave(before);
    upcr_cache_report_invalidated();
}

/* Whether a write takes more than to look into the cache. */
static bool begins_line(struct span span)
{
    uint64_t first = upcr_cached_tag(span.thread, span.offset), last = upcr_cached_tag(span.thread, span.offset + span.n - 1);
    uint32_t slot = upcr_cached_find(first);
    return upcr_cache.busy || !is_in_segment(span) || first != last || slot == UPCR_NO_SLOT || (upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0;
}

/* Such a write, where a tool listens. */
static void begin_line(upcr_counted counted, upcr_pts_t dst, const void *src, size_t n)
{
    bool recalled = counted != 0 && upcr_events.report_late(counted, dst, src, n);
    if (counted == 0 || recalled)
        ++*upcr_events.slow;
    write_slowly(dst, src, n);
    if (recalled)
        upcr_events.recalled(counted, dst, src, n);
}

static __attribute__((__noinline__)) void write_otherwise(upcr_counted counted, upcr_pts_t dst, const void *src, size_t n)
{
    uint64_t tag = upcr_cached_tag(upcr_threadof(dst), upcr_addrfield(dst));
    size_t from = upcr_addrfield(dst) & (upcr_cache.line_bytes - 1);
    if (n == 0)
        return;
    upcr_pending = 1;
    if (!upcr_cache_is_on)
        put_directly(dst, src, n);
    else if (upcr_cache.line[upcr_cached_set(tag)].tag != tag && from + n <= upcr_cache.line_bytes &&
             upcr_region_passes(&upcr_cache.writes[upcr_region_of(tag)], tag))
        put_few(dst, src, n);
    else if ((counted != 0 || upcr_cache_is_reported()) && begins_line(span_of(dst, n)))
        begin_line(counted, dst, src, n);
    else
        write_slowly(dst, src, n);
}

/* Writes bytes of one word of the mask to a line in its set that is dirty already, which is the way of most writes. */
static inline __attribute__((__always_inline__)) bool join(struct upcr_cached *line, uint64_t tag, uint32_t slot, size_t from, const void *src, size_t n)
{
    uint32_t before = upcr_collect_enter();
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

static inline __attribute__((__always_inline__)) void write_few(upcr_counted counted, upcr_pts_t dst, const void *src, upcr_size n)
{
    uint64_t offset = upcr_addrfield(dst), tag = upcr_cached_tag(upcr_threadof(dst), offset);
    size_t from = offset & (upcr_cache.line_bytes - 1);
    uint32_t slot = upcr_cached_set(tag);
    uint8_t part = upcr_region_at(upcr_threadof(dst), offset);
    struct upcr_cached *line = &upcr_cache.line[slot];
    bool together = n - 1 < 64 - from % 64; /* bytes of one word of the mask, and not none */
    if (together && upcr_region_rests(&upcr_cache.writes[part], upcr_cache.held[part])) {
        upcr_pending = 1;
        upcr_tp_put(dst, src, n);
        return;
    }
    if (__builtin_expect(upcr_cache_is_on && together && join(line, tag, slot, from, src, n), 1))
        return;
    write_otherwise(counted, dst, src, n);
}

void upcr_remote_put(upcr_pts_t dst, const void *src, upcr_size n)
{
    write_few(0, dst, src, n);
}

void upcr_remote_put_counted(upcr_counted counted, upcr_pts_t dst, const void *src, upcr_size n)
{
    write_few(counted, dst, src, n);
}

#endif
