/* The accesses of units whose races are detected: first they are checked (src/checks/), then recorded. */
#include "runtime.h"

#include "child.h"
#include "races/detector.h"
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

static inline void record(upcr_pts_t p, size_t n, int access, uint32_t site)
{
    if (__builtin_expect(upcr_race_compared != 0, 0) && upcr_race_is_compared(p))
        return;
    if (__builtin_expect(--upcr_race_until_delay == 0, 0))
        upcr_race_delay();
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

/* Returns whether `old` is the same access by the same thread, before its last synchronization. */
static inline bool is_earlier_turn(uint64_t old, uint64_t mine)
{
    const uint64_t clock = (uint64_t)UPCR_CLOCK_LAST << UPCR_CELL_CLOCK;
    return ((old ^ mine) & ~clock & ~(uint64_t)(UPCR_SITES - 1)) == 0;
}

/* Returns whether what stands beside an access of an earlier turn matters to neither: it is a read beside a read, or the thread's own
   access of the other kind. */
static inline bool is_no_matter(uint64_t old, uint64_t mine)
{
    bool same_thread = upcr_cell_thread(old) == upcr_cell_thread(mine), same_kind = upcr_cell_writes(old) == upcr_cell_writes(mine);
    return old == 0 || (same_thread ? !same_kind : same_kind && !upcr_cell_writes(mine));
}

/* Records an access that a loop makes again after a barrier. It replaces the one of the earlier turn: what races with that one races with
   this one, too. */
static inline bool renew(_Atomic uint64_t *slots, uint64_t first, uint64_t second, uint64_t mine, const upcr_place *here)
{
    int slot = is_earlier_turn(first, mine) ? 0 : 1;
    if ((slot == 1 && !is_earlier_turn(second, mine)) || !is_no_matter(slot == 0 ? second : first, mine))
        return false;
    if (upcr_race_compared != 0 || upcr_race_ignored != 0 || upcr_is_child || upcr_race_until_delay == 1)
        return false;
    upcr_race_until_delay--;
    atomic_store_explicit(&slots[slot], mine | upcr_race_site(here), memory_order_relaxed);
    return true;
}

/* Records a relaxed access if it is one that the thread has made before: then its bytes are in an object, too, because shadow memory is
   cleared when they are freed. */
static inline bool record_again(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    size_t thread = upcr_threadof(p), from;
    uint64_t offset = upcr_addrfield(p);
    from = offset % UPCR_GRANULE;
    if ((access & UPCR_TOUCH_ORDERED) != 0 || thread >= (size_t)upcr_threads || offset >= upcr_race_covered || from + bytes > UPCR_GRANULE || bytes == 0 ||
        !upcr_race_on || upcr_race_shadows[thread] == NULL)
        return false;
    _Atomic uint64_t *slots = upcr_race_shadows[thread] + offset / UPCR_GRANULE * UPCR_SLOTS;
    uint64_t mine = upcr_cell_with_bytes(upcr_race_cell((enum upcr_touch)access, (uint32_t)upcr_mythread, upcr_race_clock, 0), from, bytes);
    uint64_t first = atomic_load_explicit(&slots[0], memory_order_relaxed), second = atomic_load_explicit(&slots[1], memory_order_relaxed);
    return upcr_cell_covers(first, mine) || upcr_cell_covers(second, mine) || renew(slots, first, second, mine, here);
}

static __attribute__((__noinline__)) void check_and_record(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    upcr_check_place(p, bytes, access & UPCR_TOUCH_WRITE, here);
    access_by_operator(p, bytes, access, here);
}

upcr_pts_t upcr_race_place(upcr_pts_t p, upcr_size bytes, int access, const upcr_place *here)
{
    if (!record_again(p, bytes, access, here))
        check_and_record(p, bytes, access, here);
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
    if (__builtin_expect(!shared_place(address, &place), 1) || !is_recording())
        return;
    if ((size_t)((const volatile char *)address - strict_bytes) < strict_count)
        return;
    record(place, n, (int)how, upcr_race_site_of_pc(pc));
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
