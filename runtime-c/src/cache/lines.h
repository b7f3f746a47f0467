/* The interface between the parts of the cache. The tag of a line is its thread and its number in that thread's segment. The line is in the slot
   that the tag selects, its set, or in one of the victims' slots after the sets. */
#ifndef UPCR_CACHE_LINES_H
#define UPCR_CACHE_LINES_H

#include "cache/cache.h"
#include "cache/backoff.h"
#include "remote/collect.h"

#include <string.h>

enum {
    UPCR_CACHE_VICTIMS = 16,
    UPCR_CACHE_REGIONS = 256,
    UPCR_CACHE_THREAD_SHIFT = 40, /* of the thread in a tag */
};

enum {
    UPCR_LINE_FULL = 1,       /* every byte is known; otherwise only those written are */
    UPCR_LINE_DIRTY = 2,      /* some bytes are written */
    UPCR_LINE_PREFETCHED = 4, /* being fetched: the transport is writing the bytes */
    UPCR_LINE_TRIGGER = 8,    /* the middle one of a prefetch window: its use requests the next window */
    UPCR_LINE_LISTED = 16,    /* of the slot: it is in the list for the next flush */
    UPCR_LINE_WRITTEN = 32,   /* of the slot: it is in the list for the sender */
    UPCR_LINE_EXPECTED = 64,  /* fetched because the phase will probably read it, and not read yet */
    UPCR_LINE_OF_SLOT = UPCR_LINE_LISTED | UPCR_LINE_WRITTEN,
};

#define UPCR_NO_SLOT UINT32_MAX

struct upcr_cached {
    uint64_t tag; /* 0: the slot is free. No place has that tag, not even that of a null pointer */
    uint8_t region;
    uint8_t state;
    uint8_t stream; /* the stream that has prefetched it */
};

/* The data about one direction of accesses to a region of memory (region.c). */
struct upcr_region {
    struct upcr_backoff backoff;
    uint64_t hits;          /* accesses that hit */
    uint64_t fills;         /* lines fetched, or begun by a write */
    uint32_t sampled, runs; /* of writes: lines examined in this period, and the runs of bytes in them, */
    uint32_t bytes;         /* and their bytes */
    uint64_t bypasses;
    uint32_t misses;
    uint64_t hits_mark;  /* when this period of judgement began */
    uint32_t period;     /* fills in this period; of a bypassed region: accesses to sampled lines */
    uint32_t ghost_hits; /* of those accesses: those that would have hit, */
    uint32_t coalesced;  /* and writes that would have coalesced with the previous one */
    uint32_t begun;      /* of writes: slot of the line begun last, + 1 */
    uint32_t era;        /* of a bypassed region: the flush since when these two count: */
    uint64_t fresh;      /* accesses to sampled lines that would have missed, */
    uint64_t before;     /* and what had bypassed the cache before */
    bool bypassed;
};

/* The measured costs (cost.c), in nanoseconds. */
enum upcr_cost {
    UPCR_COST_GET,   /* a read of a few bytes that bypasses the cache */
    UPCR_COST_FILL,  /* a line fetched for a read */
    UPCR_COST_PUT,   /* a write of a few bytes that bypasses the cache */
    UPCR_COST_BEGIN, /* a line begun by a write, with the eviction for it */
    UPCR_COST_IOV,   /* a run of bytes written back */
    UPCR_COSTS,
};

struct upcr_measure {
    uint32_t cost_estimate; /* from the last window of samples; an assumption before that */
    uint32_t least;         /* samples taken in this window */
    uint32_t window;        /* samples of a window; 0: the first window has not begun */
    uint32_t samples;       /* in this window so far */
    uint32_t skip;          /* opportunities to skip before the next sample */
    uint32_t windows;       /* complete */
    uint64_t sum;
};

struct upcr_cache_counts {
    uint64_t lines_in, bytes_in;    /* fetched, prefetches included */
    uint64_t prefetch_lines;        /* of these prefetched */
    uint64_t lines_out, bytes_out;  /* written back */
    uint64_t flushes;               /* flushes that found lines */
    uint64_t invalidated;           /* lines that flushes dropped */
    uint64_t strip_hits, strips_in; /* strips copied from lines, and fetched into them */
    uint64_t expected;              /* spans fetched because a phase would probably read them */
    uint64_t gets, puts;            /* messages: requests for data, and data sent */
};

struct upcr_cache {
    uint32_t line_bytes, shift; /* of a line: bytes, and log2 of them */
    uint32_t lines;             /* sets; a power of two */
    uint64_t end;               /* end of a segment: no line extends beyond it */
    uint32_t served;            /* the cost, for its target thread, of a put that is sent with others, in nanoseconds */
    uint32_t budget;            /* bytes of all lines: length and number may change while their product stays; 0: the user has chosen one of them */
    uint32_t budget_most;       /* the most that `budget` may grow to */
    struct upcr_measure cost[UPCR_COSTS];
    bool adapts, prefetches;
    bool passes_single; /* writes that join no others bypass the cache, also where it does not adapt */
    bool has_recent;    /* some entry of upcr_recent has a line */
    volatile bool busy; /* the tables are being changed: a signal handler bypasses them */
    struct upcr_cached *line;
    unsigned char *data;
    uint64_t *dirty; /* line_bytes / 64 words for each slot; all 0 for a line that is not dirty */
    uint32_t *listed;
    uint32_t listed_count;
    uint32_t *written; /* slots in which a line has become dirty since the sender's last check, in order */
    uint32_t written_count;
    uint32_t *next_listed;             /* chains of a flush */
    unsigned char *scratch;            /* a line */
    uint32_t held[UPCR_CACHE_REGIONS]; /* lines of each region */
    uint64_t victims;                  /* upcr_victim_bit of each line in a victim's slot, and perhaps of some former ones */
    uint32_t next_victim;              /* the slot to be used next */
    struct upcr_region reads[UPCR_CACHE_REGIONS], writes[UPCR_CACHE_REGIONS], updates[UPCR_CACHE_REGIONS];
    struct upcr_cache_counts counts;
    struct upcr_cache_counts sent; /* list of the sender */
};

extern struct upcr_cache upcr_cache UPCR_HIDDEN;

/* ---- Names and places ---------------------------------------------------------------------------------------------- */

static inline uint64_t upcr_cached_tag(size_t thread, uint64_t offset)
{
    return ((uint64_t)thread + 1) << UPCR_CACHE_THREAD_SHIFT | offset >> upcr_cache.shift;
}

static inline size_t upcr_cached_thread(uint64_t tag)
{
    return (tag >> UPCR_CACHE_THREAD_SHIFT) - 1;
}

static inline uint64_t upcr_cached_offset(uint64_t tag)
{
    return (tag & (((uint64_t)1 << UPCR_CACHE_THREAD_SHIFT) - 1)) << upcr_cache.shift;
}

static inline upcr_pts_t upcr_cached_place(uint64_t tag)
{
    return upcr_make(upcr_cached_thread(tag), 0, upcr_cached_offset(tag));
}

/* Returns the set of a line. Neighbouring lines of a thread have neighbouring sets, so that a window of them is fetched as one block. Threads are
   scattered, because programs visit the same offset of one thread after the other. */
static inline uint32_t upcr_cached_set(uint64_t tag)
{
    return (uint32_t)(tag + (tag >> UPCR_CACHE_THREAD_SHIFT) * 0x9e3779b1u) & (upcr_cache.lines - 1);
}

static inline unsigned char *upcr_cached_data(uint32_t slot)
{
    return upcr_cache.data + ((size_t)slot << upcr_cache.shift);
}

static inline uint64_t *upcr_cached_dirty(uint32_t slot)
{
    return upcr_cache.dirty + ((size_t)slot << upcr_cache.shift) / 64;
}

/* Returns one of 64 bits for a line. It excludes most lines that are not in a victim's slot. */
static inline uint64_t upcr_victim_bit(uint64_t tag)
{
    return (uint64_t)1 << ((uint32_t)tag * 0x85ebca6bu >> 26);
}

/* Returns the bits of [from, to) in the word that begins with bit 64 * word. Pre: there are some. */
static inline uint64_t upcr_word_bits(size_t word, size_t from, size_t to)
{
    uint64_t bits = ~(uint64_t)0;
    if (from > word * 64)
        bits <<= from - word * 64;
    if (to < word * 64 + 64)
        bits &= ~(uint64_t)0 >> (word * 64 + 64 - to);
    return bits;
}

/* Enclose everything that changes lines, except for the counts of reads. In between, the sender (remote/collect.h) waits, and
   accesses of signal handlers bypass the cache. */
static inline uint32_t upcr_cache_enter(void)
{
    upcr_cache.busy = true;
    return upcr_collect_enter();
}

static inline void upcr_cache_leave(uint32_t before)
{
    upcr_collect_leave(before);
    upcr_cache.busy = false;
}

/* A part of a segment. */
struct upcr_span {
    size_t thread;
    uint64_t offset;
    size_t n;
};

static inline struct upcr_span upcr_span_of(upcr_pts_t place, size_t n)
{
    return (struct upcr_span){upcr_threadof(place), upcr_addrfield(place), n};
}

/* Returns whether the cache can have lines of the span. A span outside every object is left to the transport, which reports the error. */
static inline bool upcr_span_is_cacheable(struct upcr_span span)
{
    return span.thread < (size_t)upcr_threads && span.offset >= UPCR_STATIC_START && span.offset <= upcr_cache.end && span.n <= upcr_cache.end - span.offset;
}

/* An access to the bytes [from, to) of a line. */
struct upcr_touch {
    uint64_t tag;
    uint16_t from, to;
};

/* Transfers that bypass the cache. */
static inline void upcr_cache_get_directly(void *dst, upcr_pts_t src, size_t n)
{
    upcr_cache.counts.gets++;
    upcr_tp_get(dst, src, n);
}

static inline void upcr_cache_put_directly(upcr_pts_t dst, const void *src, size_t n)
{
    upcr_cache.counts.puts++;
    upcr_tp_put(dst, src, n);
}

/* ---- lines.c ------------------------------------------------------------------------------------------------------- */

/* Gives the line in a slot its tag. Pre: the slot is free. */
void upcr_cached_call(uint32_t slot, uint64_t tag, uint8_t region) UPCR_HIDDEN;

/* Returns the set of a line that is not in the cache, after it was freed and listed; the line that was there is now a victim. */
uint32_t upcr_cached_claim(uint64_t tag) UPCR_HIDDEN;

/* Lists a slot for the next flush. */
void upcr_cached_list(uint32_t slot) UPCR_HIDDEN;

/* Drops a line, dirty or not. */
void upcr_cached_drop(uint32_t slot) UPCR_HIDDEN;

/* Marks a line as dirty: some of its bytes are written. */
void upcr_cached_soil(uint32_t slot) UPCR_HIDDEN;

/* Writes these bytes to [from, to) of a line. */
void upcr_cached_store(uint32_t slot, size_t from, size_t to, const void *bytes) UPCR_HIDDEN;

/* Clears their dirty bits: the cache does not write them back. */
void upcr_cached_clean(uint32_t slot, size_t from, size_t to) UPCR_HIDDEN;

/* Returns whether all of them are dirty. */
bool upcr_cached_covers(uint32_t slot, size_t from, size_t to) UPCR_HIDDEN;

/* Returns the number of runs of dirty bytes in a line. */
uint32_t upcr_cached_runs(uint32_t slot) UPCR_HIDDEN;

/* Returns the number of dirty bytes in a line. */
uint32_t upcr_cached_written(uint32_t slot) UPCR_HIDDEN;

/* Copies the dirty ones from the line to `bytes`, whose first byte is that of `from`. */
void upcr_cached_overlay(uint32_t slot, size_t from, size_t to, unsigned char *bytes) UPCR_HIDDEN;

/* Fetches a line that is not full, and keeps its dirty bytes. */
void upcr_cached_complete(uint32_t slot) UPCR_HIDDEN;

/* Returns the bytes of a line that lie in the segment. */
size_t upcr_cached_extent(uint64_t tag) UPCR_HIDDEN;

/* ---- writeback.c --------------------------------------------------------------------------------------------------- */

/* Hands the dirty bytes of a line, and of the victims of the same thread, to the transport. The line is then clean. */
void upcr_writeback_line(uint32_t slot) UPCR_HIDDEN;

/* Does what upcr_cache_flush does, without its event. False: there was nothing to do. */
bool upcr_writeback_flush(void) UPCR_HIDDEN;

/* Called before a missing line is fetched: enlarges the cache if that will pay, which empties it. Pre: upcr_cache_enter has been called, and the
   caller knows no slot. */
void upcr_writeback_enlarge(void) UPCR_HIDDEN;

/* ---- stream.c ------------------------------------------------------------------------------------------------------ */

/* Called for a line that is missing and will be fetched into its set: determines whether it continues a stream, and starts to fetch the following lines. */
void upcr_stream_miss(uint64_t tag) UPCR_HIDDEN;

/* Called when the middle line of a window is used. */
void upcr_stream_advance(uint32_t slot) UPCR_HIDDEN;

/* Waits for the window that contains a line. Pre: the line is UPCR_LINE_PREFETCHED. */
void upcr_stream_arrive(uint32_t slot) UPCR_HIDDEN;

/* Waits for all windows, and drops all streams. */
void upcr_stream_stop(void) UPCR_HIDDEN;

/* ---- cost.c -------------------------------------------------------------------------------------------------------- */

/* Sets the estimates to the transport's initial values. */
void upcr_cost_start(struct upcr_distance distance) UPCR_HIDDEN;

/* Returns the time, never 0. */
uint64_t upcr_cost_now(void) UPCR_HIDDEN;

/* Begins an opportunity to measure: returns its time, 0 if it is skipped. */
static inline uint64_t upcr_cost_begin(enum upcr_cost what)
{
    struct upcr_measure *cost = &upcr_cache.cost[what];
    if (__builtin_expect(cost->skip != 0, 1)) {
        cost->skip--;
        return 0;
    }
    return upcr_cost_now();
}

/* Ends a measurement of this number of operations. */
void upcr_cost_add(enum upcr_cost what, uint64_t begin, uint64_t count) UPCR_HIDDEN;

static inline void upcr_cost_end(enum upcr_cost what, uint64_t begin, uint64_t count)
{
    if (__builtin_expect(begin != 0, 0))
        upcr_cost_add(what, begin, count);
}

static inline uint64_t upcr_cost_of(enum upcr_cost what)
{
    return upcr_cache.cost[what].cost_estimate;
}

/* ---- events.c ------------------------------------------------------------------------------------------------------ */

/* Determines whether events are reported. Called in each thread before its first access. */
void upcr_cache_events_start(void) UPCR_HIDDEN;

/* ---- geometry.c ---------------------------------------------------------------------------------------------------- */

/* Sets the length of lines from the measured cost of fetching them. Pre: nothing is cached. */
void upcr_cache_reshape(void) UPCR_HIDDEN;

/* Doubles the number of lines, if there is memory for them. Pre: nothing is cached. */
void upcr_cache_enlarge(void) UPCR_HIDDEN;

/* ---- growth.c ------------------------------------------------------------------------------------------------------ */

/* Called for each line that is fetched to be read. */
void upcr_growth_note(uint64_t tag) UPCR_HIDDEN;

/* Returns whether the cache is to become larger: most of the lines fetched recently had been in it before. */
bool upcr_growth_due(void) UPCR_HIDDEN;

/* Called when the lines fetched so far could not be in the cache any more, however large it were. */
void upcr_growth_forget(void) UPCR_HIDDEN;

/* ---- region.c ------------------------------------------------------------------------------------------------------ */

enum { UPCR_REGION_SHIFT = 20 }; /* log2 of the bytes of a region; distant regions may share an entry */

static inline uint8_t upcr_region_at(size_t thread, uint64_t offset)
{
    uint64_t region = ((uint64_t)thread + 1) << UPCR_CACHE_THREAD_SHIFT | offset >> UPCR_REGION_SHIFT;
    return (uint8_t)(region * UINT64_C(0x9e3779b97f4a7c15) >> 56);
}

static inline uint8_t upcr_region_of(uint64_t tag)
{
    return upcr_region_at(upcr_cached_thread(tag), upcr_cached_offset(tag));
}

/* Returns whether an access within 64 consecutive bytes bypasses the cache without any lookup: no line of the region is in the cache. */
static inline bool upcr_region_backs_off(struct upcr_region *region, uint32_t held)
{
    return held == 0 && upcr_backoff_take(&region->backoff);
}

/* In a bypassed region one line of this number is sampled, so that most accesses cost almost nothing. */
enum { UPCR_SAMPLED_ONE_IN = 8 };

/* Returns whether a line is one of these: the upper bits of its hash are 0. */
static inline bool upcr_region_samples(uint64_t tag)
{
    return (uint32_t)tag * 0x9e3779b1u >> 29 == 0;
}

/* Returns whether an access to a line that is not in its set bypasses the cache without a further lookup: the line is not in a victim's slot either. */
static inline bool upcr_region_passes(struct upcr_region *region, uint64_t tag)
{
    if (!region->bypassed || (upcr_cache.victims & upcr_victim_bit(tag)) != 0)
        return false;
    if (upcr_backoff_take(&region->backoff)) {
        upcr_backoff_sampled(&region->backoff);
    } else if (upcr_region_samples(tag)) {
        return false;
    }
    region->bypasses++;
    return true;
}

/* Prepares the regions of a thread. */
void upcr_region_start(void) UPCR_HIDDEN;

/* Called for a miss: returns whether a line is to be fetched for it. */
bool upcr_region_wants_read(uint8_t region, struct upcr_touch touch) UPCR_HIDDEN;
bool upcr_region_wants_write(uint8_t region, struct upcr_touch touch) UPCR_HIDDEN;
bool upcr_region_wants_update(uint8_t region, struct upcr_touch touch) UPCR_HIDDEN;

/* Returns the number of accesses that have bypassed the cache, including those without a lookup. */
uint64_t upcr_region_bypasses(const struct upcr_region *region) UPCR_HIDDEN;

/* Called when a write begins a line: examines the line begun before it. */
void upcr_region_begin(uint8_t region, uint32_t slot) UPCR_HIDDEN;

/* Called when no line that was accessed before would still be in the cache. */
void upcr_region_forget(void) UPCR_HIDDEN;

#endif
