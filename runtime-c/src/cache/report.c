/* The cache's reports: events to tools, counts to the user. */
#include "cache/lines.h"

#ifdef UPCR_REMOTE

#include <stdio.h>

#include "clock.h"
#include "gasp/hooks.h"
#include "options.h"

static bool wanted(enum upcr_event_index event)
{
    return upcr_events.wants(event);
}

void upcr_cache_report_invalidated(void)
{
    uint32_t lost = upcr_cache.lost_dirty;
    upcr_cache.lost_dirty = 0;
    if (lost != 0 && upcr_cache_is_reported() && wanted(UPCR_EVENT_UPC_CACHE_INVALIDATE))
        upcr_events.occurred(UPCR_EVENT_UPC_CACHE_INVALIDATE, (size_t)lost);
}

void upcr_cache_report_read(size_t n, enum upcr_outcome outcome, size_t brought)
{
    *upcr_events.answered = upcr_clock_ticks();
    switch (outcome) {
    case UPCR_OUTCOME_HIT:
        if (wanted(UPCR_EVENT_UPC_CACHE_HIT))
            upcr_events.occurred(UPCR_EVENT_UPC_CACHE_HIT, n);
        break;
    case UPCR_OUTCOME_MISS:
        if (wanted(UPCR_EVENT_UPC_CACHE_MISS))
            upcr_events.occurred(UPCR_EVENT_UPC_CACHE_MISS, n, brought);
        break;
    case UPCR_OUTCOME_BYPASS:
        break;
    }
    upcr_cache_report_invalidated();
}

void upcr_cache_report_flush(uint32_t dirty)
{
    if (wanted(UPCR_EVENT_UPC_CACHE_INVALIDATE))
        upcr_events.occurred(UPCR_EVENT_UPC_CACHE_INVALIDATE, (size_t)dirty);
}

struct total {
    uint64_t hits, fills, bypasses, rested;
};

static struct total sum(const struct upcr_region *regions)
{
    struct total total = {0};
    for (const struct upcr_region *region = regions; region < regions + UPCR_CACHE_REGIONS; region++) {
        total.hits += region->hits;
        total.fills += region->fills;
        total.bypasses += upcr_region_bypasses(region);
        total.rested += upcr_backoff_taken(&region->rest);
    }
    return total;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

void upcr_cache_report(void)
{
    const struct upcr_cache_counts *counts = &upcr_cache.counts;
    if (upcr_options.cache_stats == 0)
        return;
    if (!upcr_cache_is_on) {
        upcr_log("no cache: %llu gets, %llu puts", (unsigned long long)counts->gets, (unsigned long long)counts->puts);
        return;
    }
    const struct upcr_cache_counts *sent = &upcr_cache.sent;
    struct total reads = sum(upcr_cache.reads), writes = sum(upcr_cache.writes);
    upcr_log("cache of %u lines of %u bytes: reads: %llu hits, %llu misses (%.2f %%), %llu bypasses; writes: %llu hits, %llu misses, "
             "%llu bypasses; in: %llu lines (%llu prefetched), %llu bytes; out: %llu lines, %llu bytes; %llu invalidations of %llu lines; "
             "messages: %llu gets, %llu puts",
             upcr_cache.lines, upcr_cache.line_bytes, (unsigned long long)reads.hits, (unsigned long long)reads.fills,
             percent(reads.fills, reads.hits + reads.fills), (unsigned long long)reads.bypasses, (unsigned long long)writes.hits,
             (unsigned long long)writes.fills, (unsigned long long)writes.bypasses, (unsigned long long)counts->lines_in,
             (unsigned long long)counts->prefetch_lines, (unsigned long long)counts->bytes_in, (unsigned long long)(counts->lines_out + sent->lines_out),
             (unsigned long long)(counts->bytes_out + sent->bytes_out), (unsigned long long)counts->flushes, (unsigned long long)counts->invalidated,
             (unsigned long long)counts->gets, (unsigned long long)(counts->puts + sent->puts + writes.rested));
}

#endif
