/* Decides whether the cache pays, for each region of memory and each direction of access. It compares the cost of the accesses of a period through
   the cache with the cost of bypassing it, from the estimates of cost.c. A fetched line pays if later accesses hit it; a line begun by a write
   pays if writes coalesce to longer segments. In a region where the cache does not pay, accesses bypass it. They record the tags of their lines,
   and if these show that the cache would have helped, the region uses it again. */
#include "cache/lines.h"

enum {
    FILLS = 32, /* fills after which a region is judged */
    GHOST_HITS = UPCR_CACHE_LINES_MAX / 8,
    HIT = 4, /* nanoseconds */
    ANY = 64,
    ANY_FIRST = 8, /* one miss in this number bypasses the cache, so that the cost of that is known too; the second is for the time before it is */
};

/* The last access to a line that bypassed the cache: the line's tag combined with the number of the flush, because a flush would have dropped the
   line; and where the write began and ended. There are as many as the cache has lines, for sampled lines. */
struct ghost_hit {
    uint32_t mark;
    uint16_t from, to;
};
struct ghost_hits {
    struct ghost_hit ghost_hit[GHOST_HITS];
};
static uint32_t region_era;

/* Updates bypass the cache at first. Nobody waits for one, so that the lines with which a region would be judged take as long as thousands of them. */
void upcr_region_start(void)
{
    for (size_t i = 0; i < UPCR_CACHE_REGIONS; i++)
        upcr_cache.updates[i].bypassed = true;
}

void upcr_region_forget(void)
{
    region_era++;
}

static struct ghost_hit *ghost_of(struct ghost_hits *ghost_hits, uint64_t tag)
{
    return &ghost_hits->ghost_hit[(uint32_t)(tag * UINT64_C(0xc2b2ae3d27d4eb4f) >> 32) % (upcr_cache.lines / 8)];
}

/* Records an access to a sampled line that bypasses the cache. */
static void record_sample(struct upcr_region *region, struct ghost_hits *ghost_hits, const struct upcr_touch *touch)
{
    uint64_t mixed = (touch->tag ^ (uint64_t)region_era << 32) * UINT64_C(0x9e3779b97f4a7c15);
    struct ghost_hit now = {(uint32_t)(mixed >> 32) | 1, touch->from, touch->to}, *ghost_hit = ghost_of(ghost_hits, touch->tag);
    region->period++;
    if (ghost_hit->mark == now.mark) {
        region->ghost_hits++;
        region->coalesced += touch->from >= ghost_hit->from && touch->from <= ghost_hit->to;
    }
    *ghost_hit = now;
}

static void new_period(struct upcr_region *region)
{
    region->period = region->ghost_hits = region->coalesced = region->sampled = region->runs = region->bytes = 0;
    region->hits_mark = region->hits;
}

void upcr_region_begin(uint8_t region, uint32_t slot)
{
    struct upcr_region *writes = &upcr_cache.writes[region];
    uint32_t before = writes->begun - 1;
    if (writes->begun != 0 && upcr_cache.line[before].tag != 0 && (upcr_cache.line[before].state & UPCR_LINE_DIRTY) != 0) {
        writes->sampled++;
        writes->runs += upcr_cached_runs(before);
        writes->bytes += upcr_cache.passes_single ? upcr_cached_written(before) : 0;
    }
    writes->begun = slot + 1;
}

uint64_t upcr_region_bypasses(const struct upcr_region *region)
{
    return region->bypasses + upcr_backoff_taken(&region->backoff);
}

/* The costs of a number of accesses through the cache, and bypassing it. */
struct bill {
    uint64_t cached, direct;
};
typedef struct bill bill(uint64_t fills, uint64_t hits, uint64_t runs);

static struct bill bill_of_reads(uint64_t fills, uint64_t hits, uint64_t runs)
{
    uint64_t get = upcr_cost_of(UPCR_COST_GET), fill = upcr_cost_of(UPCR_COST_FILL);
    (void)runs;
    return (struct bill){fills * (fill > get ? fill : get) + hits * HIT, (fills + hits) * get};
}

/* A put and a segment also take time of their target thread. */
static struct bill bill_of_writes(uint64_t fills, uint64_t hits, uint64_t runs)
{
    uint64_t served = upcr_cache.served;
    return (struct bill){fills * upcr_cost_of(UPCR_COST_BEGIN) + hits * HIT + runs * (upcr_cost_of(UPCR_COST_IOV) + served),
                         (fills + hits) * (upcr_cost_of(UPCR_COST_PUT) + served)};
}

/* An update that finds its line reads and writes it. Bypassing the cache it is one put, for which nobody waits, so many must find the line of a fetch. */
static struct bill bill_of_updates(uint64_t fills, uint64_t hits, uint64_t runs)
{
    uint64_t served = upcr_cache.served;
    (void)runs;
    return (struct bill){fills * (upcr_cost_of(UPCR_COST_FILL) + upcr_cost_of(UPCR_COST_IOV) + served) + hits * 2 * HIT,
                         (fills + hits) * (upcr_cost_of(UPCR_COST_PUT) + served)};
}

/* The differences between reads, writes and updates. */
struct direction {
    struct ghost_hits *ghost_hits;
    bill *bill;
    enum upcr_cost direct;
    uint32_t probes; /* number of accesses to sampled lines after which a bypassed region is judged: those of a few full lines */
    bool backs_off, always_adapts;
};
static struct ghost_hits read_ghost_hits, write_ghost_hits, update_ghost_hits;
static const struct direction reads = {&read_ghost_hits, bill_of_reads, UPCR_COST_GET, 32, false, false};
static const struct direction writes = {&write_ghost_hits, bill_of_writes, UPCR_COST_PUT, 128, true, false};
static const struct direction updates = {&update_ghost_hits, bill_of_updates, UPCR_COST_PUT, 128, true, true};

static uint32_t bypassed; /* regions, for reads */

/* Returns whether the cache is clearly cheaper. Writes must gain more, because what they cost is known less well: the transport sends puts with
   others, at another time. */
static bool pays(const struct direction *direction, struct bill bill)
{
    return direction == &writes ? bill.cached * 5 <= bill.direct * 4 : bill.cached <= bill.direct;
}

/* Returns whether the runs in the lines of this period are hardly longer than a write: then the cache only moves their bytes twice. */
static bool joins_nothing(const struct upcr_region *region, const struct upcr_touch *touch)
{
    uint32_t write = (uint32_t)touch->to - touch->from;
    return region->sampled != 0 && region->bytes * 8 <= region->runs * write * 9;
}

/* Applies a judgement. */
static void decide(struct upcr_region *region, const struct direction *direction, bool bypass)
{
    if (direction == &reads) {
        bypassed += (uint32_t)bypass - (uint32_t)region->bypassed;
        upcr_gathering = bypassed != 0;
    }
    region->bypassed = bypass;
    if (bypass && direction->backs_off)
        upcr_backoff_grant(&region->backoff);
    else if (!bypass)
        upcr_backoff_halve(&region->backoff);
    new_period(region);
}

/* Returns whether the cache may bypass where it does not pay. For updates it always may: a fetch costs a hundred times as much. */
static bool adapts(const struct direction *direction)
{
    return upcr_cache.adapts || direction->always_adapts;
}

/* The costs of all updates of a bypassed region since the last flush. Each line would have been fetched once at least. A period alone says nothing of
   that: lines that were seen in an earlier one would all be hits. All updates count as hits, because most of those that bypass the cache are not
   looked at. */
static struct bill bill_since_flush(const struct upcr_region *region)
{
    return bill_of_updates(region->fresh, (upcr_region_bypasses(region) - region->before) / UPCR_SAMPLED_ONE_IN, 0);
}

/* Counts an access to a sampled line since the last flush. */
static void note_since_flush(struct upcr_region *region, bool found)
{
    if (region->era != region_era) {
        region->era = region_era;
        region->fresh = 0;
        region->before = upcr_region_bypasses(region);
    }
    region->fresh += !found;
}

/* Handles an access to a bypassed region. True: the region uses the cache again. For that the cache must be clearly cheaper, so that a region
   between the two does not change all the time. */
static bool comes_back(struct upcr_region *region, const struct direction *direction, const struct upcr_touch *touch)
{
    region->bypasses++;
    if (region->backoff.left != 0 || !upcr_region_samples(touch->tag))
        return false;
    uint32_t found = region->ghost_hits;
    record_sample(region, direction->ghost_hits, touch);
    note_since_flush(region, region->ghost_hits != found);
    if (region->period < direction->probes)
        return false;
    struct bill bill = direction == &updates ? bill_since_flush(region)
                                             : direction->bill(region->period - region->ghost_hits, region->ghost_hits, region->period - region->coalesced);
    decide(region, direction, adapts(direction) ? bill.cached * 3 > bill.direct * 2 : region->coalesced * 2 <= region->period);
    return !region->bypassed;
}

static bool wants(struct upcr_region *region, const struct direction *direction, const struct upcr_touch *touch)
{
    if (region->bypassed)
        return comes_back(region, direction, touch);
    uint32_t any = upcr_cache.cost[direction->direct].windows == 0 ? ANY_FIRST : ANY;
    if (adapts(direction) && ++region->misses % any == 0) {
        region->bypasses++;
        return false;
    }
    region->fills++;
    if (++region->period == FILLS) {
        uint64_t runs = region->sampled == 0 ? FILLS : (uint64_t)region->runs * FILLS / region->sampled;
        struct bill bill = direction->bill(FILLS, region->hits - region->hits_mark, runs);
        bool bypass = adapts(direction) ? !pays(direction, bill) : upcr_cache.passes_single && direction == &writes && joins_nothing(region, touch);
        decide(region, direction, bypass);
    }
    return true;
}

bool upcr_region_wants_read(uint8_t region, struct upcr_touch touch)
{
    return wants(&upcr_cache.reads[region], &reads, &touch);
}

bool upcr_region_wants_write(uint8_t region, struct upcr_touch touch)
{
    return wants(&upcr_cache.writes[region], &writes, &touch);
}

bool upcr_region_wants_update(uint8_t region, struct upcr_touch touch)
{
    return wants(&upcr_cache.updates[region], &updates, &touch);
}
