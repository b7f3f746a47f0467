/* The entry points of the cache, and the events that they raise: upcr_remote_read and upcr_remote_put of upcr/remote.h, and the
   operations of cache.h. No other file of the cache knows of events. */
#include "cache/access.h"
#include "cache/bulk.h"
#include "clock.h"
#include "gasp/hooks.h"

/* Where the thread's operation under way is written if its start was reported to a tool; NULL there: none was. */
static struct upcr_site *no_site;
static struct upcr_site **under_way = &no_site;

void upcr_cache_events_start(void)
{
    if (upcr_has_events())
        under_way = upcr_events.under_way();
}

static inline bool is_reported(void)
{
    return __builtin_expect(*under_way != NULL, 0);
}

/* Reports lines that an operation of the cache has written back. Pre: not busy, because the tool may access shared memory. */
static void report_written_back(uint64_t lines)
{
    if (lines != 0 && is_reported() && upcr_events.wants(UPCR_EVENT_UPC_CACHE_INVALIDATE))
        upcr_events.occurred(UPCR_EVENT_UPC_CACHE_INVALIDATE, (size_t)lines);
}

/* Reports how a read of n bytes was served. fetched: bytes that came from memory. */
static void report_read(size_t n, enum upcr_served served, size_t fetched)
{
    *upcr_events.answered = upcr_clock_ticks();
    switch (served) {
    case UPCR_SERVED_BY_LINE:
        if (upcr_events.wants(UPCR_EVENT_UPC_CACHE_HIT))
            upcr_events.occurred(UPCR_EVENT_UPC_CACHE_HIT, n);
        break;
    case UPCR_SERVED_BY_FETCH:
        if (upcr_events.wants(UPCR_EVENT_UPC_CACHE_MISS))
            upcr_events.occurred(UPCR_EVENT_UPC_CACHE_MISS, n, fetched);
        break;
    case UPCR_SERVED_AROUND:
    case UPCR_SERVED_WITHOUT:
        break;
    }
}

/* ---- Reads --------------------------------------------------------------------------------------------------------- */

/* Makes a read whose event has been reported, and reports what the cache did for it. The bytes go to buffer, because the tool
   may access shared memory and so move lines. */
static const void *read_and_report(const struct upcr_access *access, void *buffer, upcr_pts_t src)
{
    enum upcr_served served;
    uint64_t bytes_in = upcr_cache.counts.bytes_in, lines_out = upcr_cache.counts.lines_out;
    if (access->probe.outcome != UPCR_OUTCOME_HIT)
        ++*upcr_events.slow;
    const void *at = upcr_access_read(access, buffer, src, &served);
    if (served == UPCR_SERVED_WITHOUT)
        return buffer;
    if (at != buffer)
        memcpy(buffer, at, access->span.n);
    bytes_in = upcr_cache.counts.bytes_in - bytes_in;
    lines_out = upcr_cache.counts.lines_out - lines_out;
    report_read(access->span.n, served, (size_t)bytes_in);
    report_written_back(lines_out);
    return buffer;
}

/* Makes a counted read whose event is reported late. The lookup comes after the start of the event, at which the tool may move
   lines. */
static const void *read_and_report_late(upcr_counted counted, void *buffer, upcr_pts_t src, size_t n)
{
    upcr_events.begin_late(counted, src, buffer, n);
    struct upcr_access access = upcr_access_begin(UPCR_READ, src, n);
    (void)read_and_report(&access, buffer, src);
    upcr_events.end_late(counted, src, buffer, n);
    return buffer;
}

/* Every read that the shortcut does not answer. */
static __attribute__((__noinline__)) const void *read_slowly(upcr_counted counted, void *buffer, upcr_pts_t src, size_t n)
{
    enum upcr_served served;
    if (counted == 0 && !is_reported())
        return upcr_access_read_at_once(buffer, src, n);
    struct upcr_access access = upcr_access_begin(UPCR_READ, src, n);
    if (counted == 0)
        return read_and_report(&access, buffer, src);
    if (counted != 0 && access.probe.outcome != UPCR_OUTCOME_HIT && upcr_events.is_late(counted, src)) {
        upcr_access_cancel(&access);
        return read_and_report_late(counted, buffer, src, n);
    }
    return upcr_access_read(&access, buffer, src, &served);
}

/* A reported read that the shortcut has found. The line does not become the recent one, so that the next read is reported, too. */
static __attribute__((__noinline__)) const void *hit_and_report(uint32_t slot, size_t from, void *buffer, size_t n)
{
    upcr_cache.reads[upcr_cache.line[slot].region].hits++;
    memcpy(buffer, upcr_cached_data(slot) + from, n);
    report_read(n, UPCR_SERVED_BY_LINE, 0);
    return buffer;
}

static inline __attribute__((__always_inline__)) const void *read_bytes(struct upcr_recent *recent, upcr_counted counted, void *buffer, upcr_pts_t src,
                                                                        upcr_size n)
{
    uint64_t offset = upcr_addrfield(src), tag = upcr_cached_tag(upcr_threadof(src), offset);
    size_t from = offset & (upcr_cache.line_bytes - 1);
    uint32_t set = upcr_cached_set(tag);
    if (__builtin_expect(upcr_probe_set(set, tag, from + n), 1))
        return counted == 0 && is_reported() ? hit_and_report(set, from, buffer, n) : upcr_access_hit(recent, set, upcr_addr(src), from);
    return read_slowly(counted, buffer, src, n);
}

const void *upcr_remote_read(struct upcr_recent *recent, void *buffer, upcr_pts_t src, upcr_size n)
{
    return read_bytes(recent, 0, buffer, src, n);
}

const void *upcr_remote_read_counted(struct upcr_recent *recent, upcr_counted counted, void *buffer, upcr_pts_t src, upcr_size n)
{
    return read_bytes(recent, counted, buffer, src, n);
}

/* ---- Writes -------------------------------------------------------------------------------------------------------- */

/* Makes a write, and reports what the cache did for it. */
static void write_and_report(const struct upcr_access *access, upcr_pts_t dst, const void *src)
{
    uint64_t lines_out = upcr_cache.counts.lines_out;
    upcr_access_write(access, dst, src);
    report_written_back(upcr_cache.counts.lines_out - lines_out);
}

/* Makes a counted write whose event is reported late. The lookup comes after the start of the event, as for reads. */
static void write_and_report_late(upcr_counted counted, upcr_pts_t dst, const void *src, size_t n)
{
    upcr_events.begin_late(counted, dst, src, n);
    ++*upcr_events.slow;
    struct upcr_access access = upcr_access_begin(UPCR_WRITE, dst, n);
    write_and_report(&access, dst, src);
    upcr_events.end_late(counted, dst, src, n);
}

/* Every write that the shortcut does not make. Writes that take no more than a put are cheap enough to stay counted. */
static __attribute__((__noinline__)) void write_slowly(upcr_counted counted, upcr_pts_t dst, const void *src, size_t n)
{
    if (n == 0)
        return;
    if (counted == 0 && !is_reported()) {
        upcr_access_write_at_once(dst, src, n);
        return;
    }
    if (upcr_access_write_around(dst, src, n))
        return;
    struct upcr_access access = upcr_access_begin(UPCR_WRITE, dst, n);
    bool is_slow = access.probe.outcome != UPCR_OUTCOME_HIT;
    if (counted != 0 && is_slow && upcr_events.is_late(counted, dst)) {
        upcr_access_cancel(&access);
        write_and_report_late(counted, dst, src, n);
        return;
    }
    if (counted == 0 && is_slow)
        ++*upcr_events.slow;
    write_and_report(&access, dst, src);
}

void upcr_remote_put(upcr_pts_t dst, const void *src, upcr_size n)
{
    if (!upcr_access_write_quickly(dst, src, n))
        write_slowly(0, dst, src, n);
}

void upcr_remote_put_counted(upcr_counted counted, upcr_pts_t dst, const void *src, upcr_size n)
{
    if (!upcr_access_write_quickly(dst, src, n))
        write_slowly(counted, dst, src, n);
}

/* ---- Other operations ---------------------------------------------------------------------------------------------- */

void upcr_cache_release(upcr_pts_t place, size_t n)
{
    uint64_t lines_out = upcr_cache.counts.lines_out;
    upcr_bulk_release(place, n);
    report_written_back(upcr_cache.counts.lines_out - lines_out);
}

/* A flush is reported even if no line was dirty. */
void upcr_cache_flush(void)
{
    uint64_t lines_out = upcr_cache.counts.lines_out;
    if (upcr_writeback_flush() && is_reported() && upcr_events.wants(UPCR_EVENT_UPC_CACHE_INVALIDATE))
        upcr_events.occurred(UPCR_EVENT_UPC_CACHE_INVALIDATE, (size_t)(upcr_cache.counts.lines_out - lines_out));
}
