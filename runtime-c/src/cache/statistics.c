/* What the cache did, in numbers for the user (UPC_CACHE_STATS). */
#include "cache/lines.h"

#include <stdio.h>

#include "options.h"

struct total {
    uint64_t hits, fills, bypasses, skipped;
};

static struct total sum(const struct upcr_region *regions)
{
    struct total total = {0};
    for (const struct upcr_region *region = regions; region < regions + UPCR_CACHE_REGIONS; region++) {
        total.hits += region->hits;
        total.fills += region->fills;
        total.bypasses += upcr_region_bypasses(region);
        total.skipped += upcr_backoff_taken(&region->backoff);
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
    struct total reads = sum(upcr_cache.reads), writes = sum(upcr_cache.writes), updates = sum(upcr_cache.updates);
    upcr_log("cache of %u lines of %u bytes: reads: %llu hits, %llu misses (%.2f %%), %llu bypasses; writes: %llu hits, %llu misses, "
             "%llu bypasses; updates: %llu hits, %llu misses, %llu bypasses; in: %llu lines (%llu prefetched), %llu bytes; out: %llu lines, %llu bytes; %llu "
             "invalidations of %llu lines; "
             "strips: %llu hits, %llu kept; %llu expected; messages: %llu gets, %llu puts",
             upcr_cache.lines, upcr_cache.line_bytes, (unsigned long long)reads.hits, (unsigned long long)reads.fills,
             percent(reads.fills, reads.hits + reads.fills), (unsigned long long)reads.bypasses, (unsigned long long)writes.hits,
             (unsigned long long)writes.fills, (unsigned long long)writes.bypasses, (unsigned long long)updates.hits, (unsigned long long)updates.fills,
             (unsigned long long)updates.bypasses, (unsigned long long)counts->lines_in, (unsigned long long)counts->prefetch_lines,
             (unsigned long long)counts->bytes_in, (unsigned long long)(counts->lines_out + sent->lines_out),
             (unsigned long long)(counts->bytes_out + sent->bytes_out), (unsigned long long)counts->flushes, (unsigned long long)counts->invalidated,
             (unsigned long long)counts->strip_hits, (unsigned long long)counts->strips_in, (unsigned long long)counts->expected,
             (unsigned long long)counts->gets, (unsigned long long)(counts->puts + sent->puts + writes.skipped));
}
