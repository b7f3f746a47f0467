/* Whether the cache pays, for each part of memory and each direction of access, from what it sees. A line fetched costs a little more than
   the few bytes that were asked for: it pays if some later access finds it. A line begun by a write costs time of the processor, which it
   earns by the puts that it saves. Where that is not earned, accesses go by the cache; they leave their lines' names, and where these
   show that the cache would have helped it is used again. */
#include "cache/lines.h"

#ifdef UPCR_REMOTE

enum {
    FILLS = 32,  /* after so many a region is judged */
    PROBES = 32, /* and a bypassed one after so many accesses to lines that are watched */
    ECHOES = UPCR_CACHE_LINES_MAX / 8,
};

/* Hits that four fills must bring. */
enum { HITS_OF_READS = 1 };
/* What a line that is only written costs from its beginning to its part in a message, in nanoseconds. */
enum { LINE_COST = 120 };

/* The puts saved, one for each hit and one for the fill itself, must be worth the line. */
static uint32_t hits_of_writes(void)
{
    unsigned put = upcr_cache.distance.put;
    return put == 0 ? 4 : put >= LINE_COST ? 0 : 4 * (LINE_COST - put) / put;
}

/* Names of lines that were accessed going by the cache, mixed with the number of the flush, for a flush would have dropped them. As many as the
   cache has lines, for those that are watched. */
struct echoes {
    uint32_t marks[ECHOES];
};
static struct echoes reads, writes;
static uint32_t era;

void upcr_region_forget(void)
{
    era++;
}

static bool is_echo(struct echoes *echoes, uint64_t name)
{
    uint64_t mixed = (name ^ (uint64_t)era << 32) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t mark = (uint32_t)(mixed >> 32) | 1;
    uint32_t *echo = &echoes->marks[(uint32_t)(name * UINT64_C(0xc2b2ae3d27d4eb4f) >> 32) % (upcr_cache.lines / 8)];
    bool same = *echo == mark;
    *echo = mark;
    return same;
}

/* An access to a bypassed region: true if the region is given another chance. */
static bool would_pay(struct upcr_region *region, struct echoes *echoes, uint64_t name, uint32_t hits_per_4)
{
    region->bypasses++;
    if (!upcr_region_watches(name))
        return false;
    region->echoes += is_echo(echoes, name);
    if (++region->period < PROBES)
        return false;
    /* Twice as good as it must be, lest a region in between change its mind all the time. */
    bool pays = region->echoes * 4 >= (PROBES - region->echoes) * hits_per_4 * 2;
    region->period = region->echoes = 0;
    region->mark = region->hits;
    region->bypassed = !pays;
    return pays;
}

static bool wants(struct upcr_region *region, struct echoes *echoes, uint64_t name, uint32_t hits_per_4)
{
    if (region->bypassed)
        return would_pay(region, echoes, name, hits_per_4);
    region->fills++;
    if (upcr_cache.adapts && ++region->period == FILLS) {
        region->bypassed = (region->hits - region->mark) * 4 < FILLS * hits_per_4;
        region->period = region->echoes = 0;
        region->mark = region->hits;
    }
    return true;
}

bool upcr_region_wants_read(uint8_t region, uint64_t name)
{
    return wants(&upcr_cache.reads[region], &reads, name, HITS_OF_READS);
}

bool upcr_region_wants_write(uint8_t region, uint64_t name)
{
    return wants(&upcr_cache.writes[region], &writes, name, hits_of_writes());
}

#endif
