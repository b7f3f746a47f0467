#include "cache/probe.h"

uint32_t upcr_probe_slot(uint64_t tag)
{
    uint32_t set = upcr_cached_set(tag);
    if (upcr_cache.line[set].tag == tag)
        return set;
    if ((upcr_cache.victims & upcr_victim_bit(tag)) != 0)
        for (uint32_t slot = upcr_cache.lines; slot < upcr_cache.lines + UPCR_CACHE_VICTIMS; slot++)
            if (upcr_cache.line[slot].tag == tag)
                return slot;
    return UPCR_NO_SLOT;
}

/* A write needs no byte of the line, and does not count as the use that starts a prefetch. */
static enum upcr_outcome outcome_of_write(uint32_t slot)
{
    return (upcr_cache.line[slot].state & UPCR_LINE_PREFETCHED) != 0 ? UPCR_OUTCOME_STREAM : UPCR_OUTCOME_HIT;
}

static enum upcr_outcome outcome_of_read(uint32_t slot, struct upcr_touch touch)
{
    uint8_t state = upcr_cache.line[slot].state;
    if ((state & (UPCR_LINE_PREFETCHED | UPCR_LINE_TRIGGER | UPCR_LINE_EXPECTED)) != 0)
        return UPCR_OUTCOME_STREAM;
    if ((state & UPCR_LINE_FULL) != 0 || upcr_cached_covers(slot, touch.from, touch.to))
        return UPCR_OUTCOME_HIT;
    return UPCR_OUTCOME_PARTIAL;
}

struct upcr_probe upcr_probe_line(enum upcr_direction direction, struct upcr_touch touch)
{
    uint32_t slot = upcr_probe_slot(touch.tag);
    if (slot == UPCR_NO_SLOT)
        return (struct upcr_probe){slot, UPCR_OUTCOME_MISS};
    return (struct upcr_probe){slot, direction == UPCR_WRITE ? outcome_of_write(slot) : outcome_of_read(slot, touch)};
}
