#include "cache/access.h"

#include "cache/bulk.h"
#include "cache/phases.h"

/* Gets and puts of a few bytes that bypass the cache, measured. */
static void get_few(void *dst, upcr_pts_t src, size_t n)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_GET);
    upcr_cache_get_directly(dst, src, n);
    upcr_cost_end(UPCR_COST_GET, begin, 1);
}

static void put_few(upcr_pts_t dst, const void *src, size_t n)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_PUT);
    upcr_cache_put_directly(dst, src, n);
    upcr_cost_end(UPCR_COST_PUT, begin, 1);
}

static struct upcr_touch touch_of(uint64_t tag, size_t from, size_t to)
{
    return (struct upcr_touch){tag, (uint16_t)from, (uint16_t)to};
}

/* The first byte of a span, counted from the start of its line. */
static size_t start_in_line(struct upcr_span span)
{
    return span.offset & (upcr_cache.line_bytes - 1);
}

/* Pre: the span lies in one line. */
static struct upcr_touch touch_of_span(struct upcr_span span)
{
    size_t from = start_in_line(span);
    return touch_of(upcr_cached_tag(span.thread, span.offset), from, from + span.n);
}

static inline struct upcr_access begin(enum upcr_direction direction, upcr_pts_t place, size_t n)
{
    struct upcr_access access = {.span = upcr_span_of(place, n), .probe = {UPCR_NO_SLOT, UPCR_OUTCOME_UNCACHEABLE}};
    if (!upcr_cache_is_on || upcr_cache.busy || !upcr_span_is_cacheable(access.span))
        return access;
    access.turn = upcr_cache_enter();
    if (start_in_line(access.span) + n > upcr_cache.line_bytes)
        access.probe.outcome = UPCR_OUTCOME_SPLIT;
    else
        access.probe = upcr_probe_line(direction, touch_of_span(access.span));
    return access;
}

void upcr_access_cancel(const struct upcr_access *access)
{
    if (access->probe.outcome != UPCR_OUTCOME_UNCACHEABLE)
        upcr_cache_leave(access->turn);
}

/* Whether a region is bypassed so firmly that the access does not even have to tell the region what it missed. */
static bool passes(const struct upcr_access *access, struct upcr_region *regions)
{
    uint64_t tag = upcr_cached_tag(access->span.thread, access->span.offset);
    return access->probe.outcome == UPCR_OUTCOME_MISS && upcr_region_passes(&regions[upcr_region_of(tag)], tag);
}

/* The two parts of an access that lies in two lines. */
struct halves {
    struct upcr_touch first, second;
};

static struct halves halves_of(struct upcr_span span)
{
    uint64_t tag = upcr_cached_tag(span.thread, span.offset);
    size_t from = start_in_line(span), first = upcr_cache.line_bytes - from;
    return (struct halves){touch_of(tag, from, from + first), touch_of(tag + 1, 0, span.n - first)};
}

static size_t size_of(struct upcr_touch touch)
{
    return (size_t)(touch.to - touch.from);
}

/* Whether the line is not in the cache, and accesses to its region bypass the cache. */
static bool goes_around(struct upcr_touch touch, const struct upcr_region *regions)
{
    return upcr_probe_slot(touch.tag) == UPCR_NO_SLOT && regions[upcr_region_of(touch.tag)].bypassed;
}

/* ---- Reads --------------------------------------------------------------------------------------------------------- */

static void note_touch(struct upcr_touch touch)
{
    uint64_t offset = upcr_cached_offset(touch.tag) + touch.from;
    upcr_phase_note((struct upcr_span){upcr_cached_thread(touch.tag), offset, size_of(touch)});
}

static uint32_t fetch(struct upcr_touch touch, uint8_t region)
{
    uint64_t tag = touch.tag;
    upcr_writeback_enlarge();
    upcr_growth_note(tag);
    uint64_t begin = upcr_cost_begin(UPCR_COST_FILL);
    uint32_t slot = upcr_cached_claim(tag);
    size_t extent = upcr_cached_extent(tag);
    struct upcr_batch batch = {0};
    upcr_tp_start_get(upcr_cached_data(slot), upcr_cached_place(tag), extent, &batch);
    upcr_cache.counts.gets++;
    upcr_cache.counts.lines_in++;
    upcr_cache.counts.bytes_in += extent;
    note_touch(touch);
    upcr_stream_miss(tag);
    upcr_tp_batch_wait(&batch);
    upcr_cost_end(UPCR_COST_FILL, begin, 1);
    upcr_cache.line[slot].state |= UPCR_LINE_FULL;
    upcr_cached_call(slot, tag, region);
    return slot;
}

/* Reads bytes that the cache does not have. slot: the line's; UPCR_NO_SLOT if it has none. */
static const unsigned char *read_missing(struct upcr_touch touch, uint32_t slot, unsigned char *buffer, enum upcr_served *served)
{
    uint8_t region = upcr_region_of(touch.tag);
    if (!upcr_region_wants_read(region, touch)) {
        get_few(buffer, upcr_field(upcr_cached_place(touch.tag), touch.from), size_of(touch));
        if (slot != UPCR_NO_SLOT)
            upcr_cached_overlay(slot, touch.from, touch.to, buffer);
        *served = UPCR_SERVED_AROUND;
        return buffer;
    }
    if (slot == UPCR_NO_SLOT)
        slot = fetch(touch, region);
    else
        upcr_cached_complete(slot);
    *served = UPCR_SERVED_BY_FETCH;
    return upcr_cached_data(slot) + touch.from;
}

/* Returns where the bytes of one line can be read: in the line or in buffer. served changes if they were not in the cache. */
static const unsigned char *read_line(struct upcr_touch touch, struct upcr_probe probe, unsigned char *buffer, enum upcr_served *served)
{
    switch (probe.outcome) {
    case UPCR_OUTCOME_STREAM: /* afterwards the line has all its bytes */
        if ((upcr_cache.line[probe.slot].state & UPCR_LINE_PREFETCHED) != 0)
            upcr_stream_arrive(probe.slot);
        if ((upcr_cache.line[probe.slot].state & UPCR_LINE_TRIGGER) != 0)
            upcr_stream_advance(probe.slot);
        if ((upcr_cache.line[probe.slot].state & UPCR_LINE_EXPECTED) != 0) {
            upcr_cache.line[probe.slot].state &= (uint8_t)~UPCR_LINE_EXPECTED;
            note_touch(touch);
        }
        break;
    case UPCR_OUTCOME_HIT:
        break;
    case UPCR_OUTCOME_PARTIAL:
    case UPCR_OUTCOME_MISS:
    case UPCR_OUTCOME_SPLIT: /* no outcome for one line, and neither is the next */
    case UPCR_OUTCOME_UNCACHEABLE:
        return read_missing(touch, probe.slot, buffer, served);
    }
    upcr_cache.reads[upcr_cache.line[probe.slot].region].hits++;
    return upcr_cached_data(probe.slot) + touch.from;
}

/* Reads a part of bytes that lie in two lines: copies it to its place in the buffer. */
static void read_part(struct upcr_touch touch, unsigned char *buffer, enum upcr_served *served)
{
    const unsigned char *at = read_line(touch, upcr_probe_line(UPCR_READ, touch), buffer, served);
    if (at != buffer)
        memcpy(buffer, at, size_of(touch));
}

/* Reads bytes that lie in two lines, by one message if both parts bypass the cache. A region that is used again from now on is not used by
   this access yet. The second lookup follows the first read, which may move lines. */
static void read_two_lines(struct upcr_span span, unsigned char *buffer, enum upcr_served *served)
{
    struct halves halves = halves_of(span);
    if (goes_around(halves.first, upcr_cache.reads) && goes_around(halves.second, upcr_cache.reads)) {
        (void)upcr_region_wants_read(upcr_region_of(halves.first.tag), halves.first);
        (void)upcr_region_wants_read(upcr_region_of(halves.second.tag), halves.second);
        get_few(buffer, upcr_field(upcr_cached_place(halves.first.tag), halves.first.from), span.n);
        *served = UPCR_SERVED_AROUND;
        return;
    }
    read_part(halves.first, buffer, served);
    read_part(halves.second, buffer + size_of(halves.first), served);
}

static inline const void *read_found(const struct upcr_access *access, void *buffer, upcr_pts_t src, enum upcr_served *served)
{
    const void *at = buffer;
    struct upcr_span span = access->span;
    *served = UPCR_SERVED_WITHOUT;
    if (access->probe.outcome == UPCR_OUTCOME_UNCACHEABLE) {
        upcr_cache_get_directly(buffer, src, span.n);
        return buffer;
    }
    if (passes(access, upcr_cache.reads)) {
        upcr_cache_leave(access->turn);
        get_few(buffer, src, span.n);
        return buffer;
    }
    upcr_pending = 1;
    *served = UPCR_SERVED_BY_LINE;
    if (access->probe.outcome != UPCR_OUTCOME_SPLIT) {
        at = read_line(touch_of_span(span), access->probe, buffer, served);
    } else if (span.n <= upcr_cache.line_bytes) {
        read_two_lines(span, buffer, served);
    } else {
        upcr_bulk_read(buffer, src, span.n);
        *served = UPCR_SERVED_AROUND;
    }
    upcr_cache_leave(access->turn);
    return at;
}

/* ---- Writes -------------------------------------------------------------------------------------------------------- */

/* Begins a line in which nothing is known but what will be written. */
static uint32_t begin_line(uint64_t tag, uint8_t region)
{
    uint64_t begin = upcr_cost_begin(UPCR_COST_BEGIN);
    uint32_t slot = upcr_cached_claim(tag);
    upcr_cost_end(UPCR_COST_BEGIN, begin, 1);
    upcr_cached_call(slot, tag, region);
    upcr_region_begin(region, slot);
    return slot;
}

/* A line that is not in the cache is not fetched. */
static void write_line(struct upcr_touch touch, struct upcr_probe probe, const unsigned char *bytes)
{
    if (probe.outcome == UPCR_OUTCOME_MISS) {
        uint8_t region = upcr_region_of(touch.tag);
        if (!upcr_region_wants_write(region, touch)) {
            put_few(upcr_field(upcr_cached_place(touch.tag), touch.from), bytes, size_of(touch));
            return;
        }
        probe.slot = begin_line(touch.tag, region);
    } else {
        if (probe.outcome == UPCR_OUTCOME_STREAM)
            upcr_stream_arrive(probe.slot);
        upcr_cache.writes[upcr_cache.line[probe.slot].region].hits++;
    }
    upcr_cached_store(probe.slot, touch.from, touch.to, bytes);
}

static void write_part(struct upcr_touch touch, const unsigned char *bytes)
{
    write_line(touch, upcr_probe_line(UPCR_WRITE, touch), bytes);
}

/* The same as read_two_lines. */
static void write_two_lines(struct upcr_span span, const unsigned char *bytes)
{
    struct halves halves = halves_of(span);
    if (goes_around(halves.first, upcr_cache.writes) && goes_around(halves.second, upcr_cache.writes)) {
        (void)upcr_region_wants_write(upcr_region_of(halves.first.tag), halves.first);
        (void)upcr_region_wants_write(upcr_region_of(halves.second.tag), halves.second);
        put_few(upcr_field(upcr_cached_place(halves.first.tag), halves.first.from), bytes, span.n);
        return;
    }
    write_part(halves.first, bytes);
    write_part(halves.second, bytes + size_of(halves.first));
}

static inline void write_found(const struct upcr_access *access, upcr_pts_t dst, const void *src)
{
    struct upcr_span span = access->span;
    if (access->probe.outcome == UPCR_OUTCOME_UNCACHEABLE) {
        upcr_cache_put_directly(dst, src, span.n);
        return;
    }
    if (access->probe.outcome != UPCR_OUTCOME_SPLIT)
        write_line(touch_of_span(span), access->probe, src);
    else if (span.n <= upcr_cache.line_bytes)
        write_two_lines(span, src);
    else
        upcr_bulk_write(dst, src, span.n);
    upcr_cache_leave(access->turn);
}

/* ---- Whole accesses ------------------------------------------------------------------------------------------------- */

/* Returns whether an access to a place in a bypassed region needs no other lookup than that of the set. */
static inline bool passes_at_once(struct upcr_region *regions, upcr_pts_t place, size_t n)
{
    uint64_t tag = upcr_cached_tag(upcr_threadof(place), upcr_addrfield(place));
    size_t from = upcr_addrfield(place) & (upcr_cache.line_bytes - 1);
    return upcr_cache.line[upcr_cached_set(tag)].tag != tag && from + n <= upcr_cache.line_bytes && upcr_region_passes(&regions[upcr_region_of(tag)], tag);
}

struct upcr_access upcr_access_begin(enum upcr_direction direction, upcr_pts_t place, size_t n)
{
    return begin(direction, place, n);
}

const void *upcr_access_read(const struct upcr_access *access, void *buffer, upcr_pts_t src, enum upcr_served *served)
{
    return read_found(access, buffer, src, served);
}

const void *upcr_access_read_at_once(void *buffer, upcr_pts_t src, size_t n)
{
    enum upcr_served served;
    if (!upcr_cache_is_on) {
        upcr_cache_get_directly(buffer, src, n);
        return buffer;
    }
    if (passes_at_once(upcr_cache.reads, src, n)) {
        get_few(buffer, src, n);
        return buffer;
    }
    struct upcr_access access = begin(UPCR_READ, src, n);
    return read_found(&access, buffer, src, &served);
}

/* Fetches the line of a miss and returns where its bytes are, if the region wants it; otherwise NULL. */
static const unsigned char *fetch_if_wanted(const struct upcr_access *access)
{
    if (passes(access, upcr_cache.reads))
        return NULL;
    struct upcr_touch touch = touch_of_span(access->span);
    uint8_t region = upcr_region_of(touch.tag);
    if (!upcr_region_wants_read(region, touch))
        return NULL;
    upcr_pending = 1;
    return upcr_cached_data(fetch(touch, region)) + touch.from;
}

bool upcr_access_read_by_lines(void *buffer, upcr_pts_t src, size_t n)
{
    enum upcr_served served;
    const void *at;
    if (!upcr_cache_is_on || passes_at_once(upcr_cache.reads, src, n))
        return false;
    struct upcr_access access = begin(UPCR_READ, src, n);
    if (access.probe.outcome == UPCR_OUTCOME_MISS) {
        at = fetch_if_wanted(&access);
        upcr_access_cancel(&access);
    } else {
        at = read_found(&access, buffer, src, &served);
    }
    if (at != NULL && at != buffer)
        memcpy(buffer, at, n);
    return at != NULL;
}

void upcr_access_write(const struct upcr_access *access, upcr_pts_t dst, const void *src)
{
    write_found(access, dst, src);
}

static inline bool write_around(upcr_pts_t dst, const void *src, size_t n)
{
    upcr_pending = 1;
    if (!upcr_cache_is_on) {
        upcr_cache_put_directly(dst, src, n);
        return true;
    }
    if (!passes_at_once(upcr_cache.writes, dst, n))
        return false;
    put_few(dst, src, n);
    return true;
}

bool upcr_access_write_around(upcr_pts_t dst, const void *src, size_t n)
{
    return write_around(dst, src, n);
}

void upcr_access_write_at_once(upcr_pts_t dst, const void *src, size_t n)
{
    if (write_around(dst, src, n))
        return;
    struct upcr_access access = begin(UPCR_WRITE, dst, n);
    write_found(&access, dst, src);
}

/* ---- Updates ------------------------------------------------------------------------------------------------------- */

/* Fetches the line of a miss, if the region wants that. */
static bool fetch_for_update(const struct upcr_access *access)
{
    struct upcr_touch touch = touch_of_span(access->span);
    uint8_t region = upcr_region_of(touch.tag);
    if (passes(access, upcr_cache.updates) || !upcr_region_wants_update(region, touch))
        return false;
    upcr_pending = 1;
    (void)fetch(touch, region);
    return true;
}

bool upcr_access_update_in_line(upcr_pts_t place, size_t n)
{
    bool in_line = true;
    uint64_t tag = upcr_cached_tag(upcr_threadof(place), upcr_addrfield(place));
    uint32_t set = upcr_cached_set(tag);
    if (upcr_probe_set(set, tag, start_in_line(upcr_span_of(place, n)) + n)) {
        upcr_cache.updates[upcr_cache.line[set].region].hits++;
        return true;
    }
    if (!upcr_cache_is_on || passes_at_once(upcr_cache.updates, place, n))
        return false;
    struct upcr_access access = begin(UPCR_READ, place, n);
    switch (access.probe.outcome) {
    case UPCR_OUTCOME_HIT:
    case UPCR_OUTCOME_STREAM:
        upcr_cache.updates[upcr_cache.line[access.probe.slot].region].hits++;
        break;
    case UPCR_OUTCOME_PARTIAL:
    case UPCR_OUTCOME_SPLIT:
        break;
    case UPCR_OUTCOME_MISS:
        in_line = fetch_for_update(&access);
        break;
    case UPCR_OUTCOME_UNCACHEABLE:
        in_line = false;
        break;
    }
    upcr_access_cancel(&access);
    return in_line;
}
