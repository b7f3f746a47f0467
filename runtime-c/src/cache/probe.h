/* The lookup: where a line is, and what an access finds there. Reads and writes act on the result (access.h). */
#ifndef UPCR_CACHE_PROBE_H
#define UPCR_CACHE_PROBE_H

#include "cache/lines.h"

enum upcr_direction { UPCR_READ, UPCR_WRITE };

enum upcr_outcome {
    UPCR_OUTCOME_HIT,         /* the line is in the cache, and so are the bytes to be read */
    UPCR_OUTCOME_STREAM,      /* the same, but the access waits for a prefetch, starts the next one, or is the first to an expected line */
    UPCR_OUTCOME_PARTIAL,     /* the line is in the cache, but some of the bytes to be read are not */
    UPCR_OUTCOME_MISS,        /* the line is not in the cache */
    UPCR_OUTCOME_SPLIT,       /* the bytes belong to several lines, each of which needs a lookup of its own */
    UPCR_OUTCOME_UNCACHEABLE, /* the cache is off, is being changed, or can have no such line: there was no lookup */
};

struct upcr_probe {
    uint32_t slot; /* of the line; UPCR_NO_SLOT if there is none */
    enum upcr_outcome outcome;
};

/* Looks up the line of an access. */
struct upcr_probe upcr_probe_line(enum upcr_direction direction, struct upcr_touch touch) UPCR_HIDDEN;

/* Returns the slot of a line, or UPCR_NO_SLOT. */
uint32_t upcr_probe_slot(uint64_t tag) UPCR_HIDDEN;

/* The shortcut for most reads. True: upcr_probe_line would return UPCR_OUTCOME_HIT and this slot, the line's set. False says
   nothing. to: where the bytes to be read end, counted from the start of the line; they may end in the next line. */
static inline __attribute__((__always_inline__)) bool upcr_probe_set(uint32_t set, uint64_t tag, size_t to)
{
    const struct upcr_cached *line = &upcr_cache.line[set];
    const uint8_t slow = UPCR_LINE_TRIGGER | UPCR_LINE_EXPECTED;
    return upcr_cache_is_on && line->tag == tag && (line->state & (UPCR_LINE_FULL | slow)) == UPCR_LINE_FULL && to <= upcr_cache.line_bytes;
}

#endif
