/* The accesses of units whose races are detected: first they are checked (src/checks/), then recorded. */
#include "runtime.h"

#include "child.h"
#include "races/detector.h"
#include "races/granule.h"
#include "transport/transport.h"

_Static_assert(UPCR_CHECK_READ == UPCR_TOUCH_READ && UPCR_CHECK_WRITE == UPCR_TOUCH_WRITE, "one set of numbers");
_Static_assert(UPCR_RACE_STRICT_READ == (UPCR_TOUCH_READ | UPCR_TOUCH_ORDERED), "one set of numbers");
_Static_assert(UPCR_RACE_STRICT_WRITE == (UPCR_TOUCH_WRITE | UPCR_TOUCH_ORDERED), "one set of numbers");

/* The object of the last strict read. */
static upcr_pts_t last_strict;

static bool takes_part(void)
{
    return upcr_race_on && !upcr_is_child;
}

static bool is_recording(void)
{
    return takes_part() && upcr_race_ignored == 0;
}

static inline void count_down(void)
{
    if (__builtin_expect(--upcr_race_until_delay == 0, 0))
        upcr_race_delay();
}

static inline void record(upcr_pts_t p, size_t n, int access, uint32_t site)
{
    if (__builtin_expect(upcr_race_compared != 0, 0) && upcr_race_is_compared(p))
        return;
    count_down();
    upcr_race_record(p, n, upcr_race_cell((enum upcr_touch)access, (uint32_t)upcr_mythread, upcr_race_clock, site), upcr_race_known);
}

/* Finds the place in shared memory of a mapped address. False: it is private memory. */
static bool shared_place(const volatile void *address, upcr_pts_t *place)
{
    size_t thread, offset;
    if (!upcr_find_place(address, &thread, &offset))
        return false;
    *place = upcr_make(thread, 0, offset);
    return true;
}

/* The bytes of the last strict access. The C compiler reports the access itself, too, which is not a relaxed one. */
static const volatile char *strict_bytes;
static size_t strict_count;

static inline void access_by_operator(upcr_pts_t p, size_t n, int access, const upcr_place *here)
{
    if (n == 0 || !takes_part())
        return;
    if (__builtin_expect(upcr_race_ignored == 0, 1))
        record(p, n, access, upcr_race_site(here));
    strict_count = 0;
    if (__builtin_expect((access & UPCR_TOUCH_ORDERED) == 0, 1))
        return;
    if (upcr_mapped(upcr_threadof(p))) {
        strict_bytes = upcr_addr(p);
        strict_count = n;
    }
    /* A strict write releases before it is performed, a strict read acquires when it has its value. */
    if (access == UPCR_RACE_STRICT_WRITE)
        upcr_race_release(p);
    else
        last_strict = p;
}

/* Returns whether the accesses of this thread are recorded as they are. */
static inline bool is_usual(void)
{
    return __builtin_expect(upcr_race_self != 0 && upcr_race_compared == 0 && upcr_race_ignored == 0 && !upcr_is_child, 1);
}

/* An access that this thread has recorded since its last synchronization: address, bytes - 1 in 3 bits, whether it writes. In functions that
   are followed, the C compiler's instrumentation reports what an operator accesses a second time, by its address. One word, because signal
   handlers may change it. */
static uint64_t last_recorded;

static inline uint64_t as_recorded(const volatile void *address, size_t n, int writes)
{
    return (uint64_t)(uintptr_t)address << 4 | (n - 1) << 1 | (uint64_t)writes;
}

void upcr_race_nothing_recorded(void)
{
    last_recorded = 0;
}

/* Records an access that no cell replaces at once; here: of an operator, NULL: pc. Its bytes are in an object if they have been accessed before,
   because shadow memory is cleared where one is freed. The granule is read again after each step that takes time. */
static inline void record_new(struct upcr_granule *g, upcr_pts_t p, const upcr_place *here, const void *pc)
{
    if (here != NULL && !upcr_granule_is_accessed(g))
        upcr_check_place(p, upcr_cell_count(g->mine), upcr_cell_writes(g->mine), here);
    count_down();
    upcr_granule_read(g);
    if (upcr_granule_extends(g))
        return;
    uint32_t site = here != NULL ? upcr_race_site(here) : upcr_race_site_of_pc(pc);
    upcr_granule_read(g);
    upcr_granule_record(g, p, site);
}

/* Returns whether the access has replaced a cell. */
static inline bool record_again(struct upcr_granule *g, const upcr_place *here)
{
    if (upcr_race_until_delay == 1 || upcr_granule_is_near(g, 0) || upcr_granule_is_near(g, 1))
        return false;
    uint32_t site = upcr_race_site(here);
    upcr_granule_read(g);
    int slot = upcr_granule_again(g);
    if (slot < 0)
        return false;
    upcr_race_until_delay--;
    upcr_race_sample_count();
    upcr_granule_write(g, slot, g->mine | site);
    return true;
}

static __attribute__((noinline)) void record_in(upcr_u64 *cells, upcr_u64 mine, upcr_pts_t p, const upcr_place *here)
{
    if (__builtin_expect(!is_usual(), 0)) {
        upcr_race_place(p, upcr_cell_count(mine), upcr_cell_writes(mine), here);
        return;
    }
    strict_count = 0;
    struct upcr_granule g = {.cells = cells, .mine = mine};
    upcr_granule_read(&g);
    if (!record_again(&g, here))
        record_new(&g, p, here, NULL);
}

void upcr_race_record_in(upcr_u64 *cells, upcr_u64 mine, upcr_pts_t p, const upcr_place *here)
{
    if (!upcr_race_samples || upcr_cell_writes(mine) || !is_usual() || !upcr_race_passes_over(cells, mine, here))
        record_in(cells, mine, p, here);
}

void upcr_race_record_access(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    upcr_u64 *cells = upcr_race_cells(p, bytes);
    if (__builtin_expect(cells == NULL, 0)) {
        upcr_race_place(p, bytes, access, here);
        return;
    }
    upcr_u64 mine = upcr_race_mine(p, bytes, access);
    if (!upcr_cells_have(cells, mine))
        upcr_race_record_in(cells, mine, p, here);
    if (is_usual())
        last_recorded = as_recorded(upcr_addr(p), bytes, access);
}

upcr_pts_t upcr_race_place(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    upcr_check_place(p, bytes, access & UPCR_TOUCH_WRITE, here);
    access_by_operator(p, bytes, access, here);
    return p;
}

void *upcr_race_access(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    return upcr_addr(upcr_race_place(p, bytes, access, here));
}

void upcr_race_strict_done(void)
{
    if (takes_part())
        upcr_race_acquire(last_strict);
}

upcr_pts_t upcr_race_place_bits(upcr_pts_t p, const void *field, upcr_size bytes, int access, const upcr_place *here)
{
    const char *set = field;
    size_t first = 0, end = bytes;
    while (first < bytes && set[first] == 0)
        first++;
    while (end > first && set[end - 1] == 0)
        end--;
    upcr_check_place(p, bytes, access & UPCR_TOUCH_WRITE, here);
    access_by_operator(upcr_field(p, first), end - first, access, here);
    return p;
}

void *upcr_race_access_bits(upcr_pts_t p, const void *field, upcr_size bytes, int access, const upcr_place *here)
{
    return upcr_addr(upcr_race_place_bits(p, field, bytes, access, here));
}

void upcr_race_touch_local(const volatile void *address, size_t n, enum upcr_touch how, const void *pc)
{
    upcr_pts_t place;
    if (n <= UPCR_GRANULE && (last_recorded | (how == UPCR_TOUCH_READ)) == as_recorded(address, n, UPCR_TOUCH_WRITE))
        return;
    if (__builtin_expect(!shared_place(address, &place), 1))
        return;
    uint64_t *cells = upcr_race_cells(place, n);
    if ((size_t)((const volatile char *)address - strict_bytes) < strict_count)
        return;
    if (cells == NULL || !is_usual()) {
        if (is_recording())
            record(place, n, (int)how, upcr_race_site_of_pc(pc));
        return;
    }
    struct upcr_granule g = {.cells = cells, .mine = upcr_race_mine(place, n, (int)how)};
    if (upcr_cells_have(cells, g.mine))
        return;
    record_new(&g, place, NULL, pc);
}

void upcr_race_atomic_begins(const volatile void *address, size_t n, enum upcr_touch how, const void *pc)
{
    upcr_pts_t place;
    if (!shared_place(address, &place) || !takes_part())
        return;
    if (upcr_race_ignored == 0)
        record(place, n, (int)(how | UPCR_TOUCH_ORDERED), upcr_race_site_of_pc(pc));
    if (how == UPCR_TOUCH_WRITE)
        upcr_race_release(place);
}

void upcr_race_atomic_ends(const volatile void *address)
{
    upcr_pts_t place;
    if (shared_place(address, &place) && takes_part())
        upcr_race_acquire(place);
}

/* ---- Library functions -------------------------------------------------------------------------------------------------- */

void upcr_race_touch(upcr_pts_t p, size_t n, enum upcr_touch how, const char *function, const void *pc)
{
    if (n != 0 && is_recording())
        record(p, n, (int)how, upcr_race_site_of_call(pc, function));
}

uint32_t upcr_race_touch_later(uint32_t clock, upcr_pts_t p, size_t n, enum upcr_touch how, enum upcr_since since, const char *function, const void *pc)
{
    if (n == 0 || !is_recording())
        return clock;
    if (clock == 0)
        clock = upcr_race_agent_begins();
    const uint32_t *known = since == UPCR_SINCE_BARRIER ? upcr_race_known_at_barrier : upcr_race_known;
    uint64_t access = upcr_race_cell(how, (uint32_t)(upcr_threads + upcr_mythread), clock, upcr_race_site_of_call(pc, function));
    upcr_race_record(p, n, access, known);
    return clock;
}
