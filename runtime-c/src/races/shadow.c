/* Shadow memory: the last accesses to each granule of 8 bytes, two at most. It lies in the side memory of the thread that the granule has
   affinity to, twice as large as the segment, and is committed when it is touched.

   It is read and written without locks, as whole cells. If two threads access a granule in the same moment, one may overwrite what the
   other has recorded; the race is then found when one of them accesses it again. */
#include "runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "races/detector.h"
#include "races/granule.h"
#include "transport/transport.h"

enum {
    FOUND_MOST = 48,  /* conflicts that one call to another machine returns */
    KNOWN_MOST = 256, /* clocks that it carries */
    GRANULES_IN_CALL = 512,
    CLEAR_BY_HAND = 1 << 16, /* bytes of shadow memory that are cleared without the system */
};

struct upcr_shadow *upcr_race_shadows;

size_t upcr_race_shadow_bytes(size_t bytes)
{
    return (bytes + UPCR_GRANULE - 1) / UPCR_GRANULE * UPCR_SLOTS * sizeof(uint64_t);
}

void upcr_race_shadow_start(size_t offset)
{
    upcr_race_shadows = upcr_race_memory((size_t)upcr_threads * sizeof *upcr_race_shadows);
    for (int thread = 0; thread < upcr_threads; thread++) {
        char *side = upcr_tp_side(thread);
        if (side != NULL)
            upcr_race_shadows[thread] = (struct upcr_shadow){(uint64_t *)(void *)(side + offset), upcr_tp_segment_bytes() / UPCR_GRANULE * UPCR_GRANULE};
    }
}

static uint64_t *shadow_of(int thread, uint64_t offset)
{
    uint64_t *shadow = upcr_race_shadows[thread].cells;
    return shadow == NULL ? NULL : shadow + offset / UPCR_GRANULE * UPCR_SLOTS;
}

/* Returns the slot of a granule that the access replaces; UPCR_SLOTS: both are worth more. old: what they hold. */
static int slot_for(const uint64_t *old, uint64_t mine, const uint32_t *known)
{
    static uint32_t turn;
    /* What no later access races with, unless it races with this one, too. */
    for (int i = 0; i < UPCR_SLOTS; i++) {
        bool covered = old[i] != 0 && (old[i] & ~mine) >> UPCR_CELL_BYTES == 0 && (upcr_cell_writes(mine) || !upcr_cell_writes(old[i]));
        /* A plain access races with ordered ones, which an ordered access does not. */
        bool as_strong = upcr_cell_ordered(old[i]) || !upcr_cell_ordered(mine);
        if (covered && as_strong && upcr_cell_is_before(old[i], known))
            return i;
    }
    for (int i = 0; i < UPCR_SLOTS; i++)
        if (old[i] == 0)
            return i;
    /* What is before this access is worth less than what others may still race with. */
    for (int i = 0; i < UPCR_SLOTS; i++)
        if (upcr_cell_is_before(old[i], known))
            return i;
    /* Writes are worth more than reads. */
    for (int i = 0; i < UPCR_SLOTS; i++)
        if (!upcr_cell_writes(old[i]))
            return i;
    turn++;
    return upcr_cell_writes(mine) ? (int)(turn % UPCR_SLOTS) : UPCR_SLOTS;
}

/* Records an access to one granule that has not been recorded. Returns the number of conflicts, and what they are. */
static inline int touch(const struct upcr_granule *g, uint64_t mine, const uint32_t *known, uint64_t *found)
{
    int conflicts = 0, slot;
    for (int i = 0; i < UPCR_SLOTS; i++)
        if (upcr_cell_conflicts(g->old[i], mine) && !upcr_cell_is_before(g->old[i], known))
            found[conflicts++] = g->old[i];
    for (slot = 0; slot < UPCR_SLOTS; slot++) {
        if (!upcr_granule_is_near(g, slot))
            continue;
        upcr_granule_write(g, slot, g->old[slot] | (mine >> UPCR_CELL_BYTES << UPCR_CELL_BYTES));
        return conflicts;
    }
    slot = slot_for(g->old, mine, known);
    if (slot != UPCR_SLOTS)
        upcr_granule_write(g, slot, mine);
    return conflicts;
}

/* The same for any access. */
static int touch_any(uint64_t *cells, uint64_t mine, const uint32_t *known, uint64_t *found)
{
    struct upcr_granule g = {.cells = cells, .mine = mine};
    upcr_granule_read(&g);
    return upcr_cells_have(cells, mine) ? 0 : touch(&g, mine, known, found);
}

/* Returns the access to those of the n bytes at offset that are in the granule there. */
static inline uint64_t in_granule(uint64_t access, uint64_t offset, size_t n, size_t *taken)
{
    size_t from = offset % UPCR_GRANULE, count = n < UPCR_GRANULE - from ? n : UPCR_GRANULE - from;
    *taken = count;
    return upcr_cell_with_bytes(access, from, count);
}

static void report(size_t thread, uint64_t offset, uint64_t mine, const uint64_t *found, int count)
{
    for (int i = 0; i < count; i++)
        upcr_race_report(upcr_make(thread, 0, offset - offset % UPCR_GRANULE), mine, found[i]);
}

/* ---- Where shadow memory is not mapped ---------------------------------------------------------------------------------- */

/* A part of an access, and the conflicts that it finds. The owner does not know all clocks if there are many: then the caller decides
   which of the conflicts are races. */
struct request {
    int thread;
    uint64_t offset, access;
    uint32_t bytes;
    uint32_t clocks; /* 0: they do not fit */
    uint32_t count;
    struct {
        uint64_t cell;
        uint32_t granule; /* from the first */
    } found[FOUND_MOST];
    uint32_t known[KNOWN_MOST];
};
_Static_assert(sizeof(struct request) <= UPCR_CALL_MOST, "one call carries it");

static void add_found(struct request *r, uint64_t cell, uint32_t granule)
{
    /* A loop of another thread has the same cell in many granules. */
    if (r->count != 0 && (r->found[r->count - 1].cell ^ cell) << (64 - UPCR_CELL_BYTES) == 0)
        return;
    if (r->count == FOUND_MOST)
        return;
    r->found[r->count].cell = cell;
    r->found[r->count++].granule = granule;
}

static void serve_range(void *data)
{
    static const uint32_t nothing[1 << UPCR_CELL_THREAD_BITS];
    struct request *r = data;
    const uint32_t *known = r->clocks != 0 ? r->known : nothing;
    uint64_t found[UPCR_SLOTS], offset = r->offset;
    uint32_t granule = 0;
    for (size_t left = r->bytes, taken; left != 0; left -= taken, offset += taken, granule++) {
        uint64_t mine = in_granule(r->access, offset, left, &taken);
        int count = touch_any(shadow_of(r->thread, offset), mine, known, found);
        for (int i = 0; i < count; i++)
            add_found(r, found[i], granule);
    }
}

static void record_by_call(size_t thread, uint64_t offset, size_t n, uint64_t access, const uint32_t *known)
{
    uint32_t clocks = 2 * (uint32_t)upcr_threads;
    while (n != 0) {
        size_t most = (size_t)GRANULES_IN_CALL * UPCR_GRANULE - offset % UPCR_GRANULE, part = n < most ? n : most;
        struct request r = {.thread = (int)thread, .offset = offset, .access = access, .bytes = (uint32_t)part, .clocks = clocks <= KNOWN_MOST ? clocks : 0};
        memcpy(r.known, known, r.clocks * sizeof *known);
        upcr_tp_call((int)thread, serve_range, &r, sizeof r);
        for (uint32_t i = 0; i < r.count; i++) {
            uint64_t at = (offset / UPCR_GRANULE + r.found[i].granule) * UPCR_GRANULE;
            size_t from = at < offset ? offset - at : 0, taken;
            uint64_t mine = in_granule(access, at + from, offset + part - at - from, &taken);
            if (!upcr_cell_is_before(r.found[i].cell, known))
                report(thread, at, mine, &r.found[i].cell, 1);
        }
        offset += part;
        n -= part;
    }
}

/* ---- All of it ----------------------------------------------------------------------------------------------------------- */

void upcr_race_record(upcr_pts_t p, size_t n, uint64_t access, const uint32_t *known)
{
    size_t thread = upcr_threadof(p), taken;
    uint64_t offset = upcr_addrfield(p), found[UPCR_SLOTS];
    uint64_t *slots = shadow_of((int)thread, offset);
    if (slots == NULL) {
        record_by_call(thread, offset, n, access, known);
        return;
    }
    for (; n != 0; n -= taken, offset += taken, slots += UPCR_SLOTS) {
        uint64_t mine = in_granule(access, offset, n, &taken);
        int count = touch_any(slots, mine, known, found);
        if (__builtin_expect(count != 0, 0))
            report(thread, offset, mine, found, count);
    }
}

void upcr_granule_record(const struct upcr_granule *g, upcr_pts_t p, uint32_t site)
{
    uint64_t found[UPCR_SLOTS];
    int count = touch(g, g->mine | site, upcr_race_known, found);
    if (__builtin_expect(count != 0, 0))
        report(upcr_threadof(p), upcr_addrfield(p), g->mine | site, found, count);
}

/* Clears n bytes of shadow memory. The system takes whole pages back, so that it does not become committed by this. */
static void clear(char *from, size_t n)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = ((uintptr_t)from + page - 1) / page * page, end = ((uintptr_t)from + n) / page * page;
    int error = errno;
    if (n < CLEAR_BY_HAND || madvise((void *)begin, end - begin, MADV_REMOVE) != 0) {
        memset(from, 0, n);
        errno = error;
        return;
    }
    memset(from, 0, begin - (uintptr_t)from);
    memset((void *)end, 0, (uintptr_t)from + n - end);
}

struct range {
    int thread;
    uint64_t offset, bytes;
};

static void clear_range(void *data)
{
    const struct range *range = data;
    uint64_t first = range->offset / UPCR_GRANULE, end = (range->offset + range->bytes + UPCR_GRANULE - 1) / UPCR_GRANULE;
    clear((char *)shadow_of(range->thread, first * UPCR_GRANULE), (size_t)(end - first) * UPCR_SLOTS * sizeof(uint64_t));
}

void upcr_race_forget(upcr_pts_t place, size_t n)
{
    struct range range = {(int)upcr_threadof(place), upcr_addrfield(place), n};
    upcr_race_nothing_recorded();
    if (shadow_of(range.thread, 0) != NULL)
        clear_range(&range);
    else
        upcr_tp_call(range.thread, clear_range, &range, sizeof range);
}

void upcr_race_forget_all(void)
{
    clear((char *)shadow_of(upcr_mythread, 0), upcr_race_shadow_bytes(upcr_race_shadows[upcr_mythread].bytes));
}
