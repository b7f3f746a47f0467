/* Reads in critical sections. Threads that walk in turn along one list under its lock read the same bytes, each with a new clock. If every
   read were recorded, the lines of shadow memory would move from one processor to the other at each step. So, after a number of such reads
   since it last released anything but locks, a thread records only some of those that a cell has already, of this thread or another. And of a
   place in the source that has made many of them, it looks at some only: a race shows up most likely in code that runs rarely (LiteRace,
   PLDI 2009).

   What is lost: a write outside of the critical section that comes after the thread's last read and that another lock orders behind the
   recorded one; and a read that is not looked at and comes after such a write. */
#include "runtime.h"

#include "races/detector.h"

enum {
    EXACT = 4096,         /* reads that are all recorded */
    RECORDED_ONE_IN = 8,  /* reads after them, on average, of those looked at */
    LOOKED_AT = 1024,     /* of these reads, of a place, before some are passed over */
    LOOKED_AT_ONE_IN = 8, /* reads after them, on average */
    RECENT_RELEASES = 16, /* of locks, of the thread that a cell belongs to */
};

int upcr_race_samples;
unsigned char upcr_race_turns[UPCR_RACE_TURNS];
static uint32_t exact = EXACT, passed_over = 1;
static uint16_t looked_at[UPCR_RACE_TURNS];

void upcr_race_choose_samples(void)
{
    upcr_race_samples = exact == 0 && upcr_race_holds_lock();
}

void upcr_race_sample_none(void)
{
    if (exact == 0) {
        memset(upcr_race_turns, 0, sizeof upcr_race_turns);
        memset(looked_at, 0, sizeof looked_at);
    }
    exact = EXACT;
    upcr_race_choose_samples();
}

void upcr_race_sample_count(void)
{
    if (exact != 0 && upcr_race_holds_lock())
        exact--;
}

/* Returns whether the cell has a read of these bytes which is before this one, and after the last barrier. */
static inline bool has_recent(uint64_t cell, uint64_t mine)
{
    const uint64_t strong = (uint64_t)1 << UPCR_CELL_WRITES | (uint64_t)1 << UPCR_CELL_ORDERED;
    uint32_t thread = upcr_cell_thread(cell), clock = upcr_cell_clock(cell), known = upcr_race_known[thread];
    bool same = ((mine & ~cell) >> UPCR_CELL_BYTES | (cell & strong)) == 0;
    return same && clock > upcr_race_known_at_barrier[thread] && known - clock <= RECENT_RELEASES;
}

/* Returns whether a cell is a write that nothing orders before this access. */
static inline bool may_race(uint64_t cell)
{
    return upcr_cell_writes(cell) && upcr_cell_clock(cell) > upcr_race_known[upcr_cell_thread(cell)];
}

/* Chooses the next read of the place that is looked at. */
static inline void choose_turn(unsigned char *turn)
{
    uint16_t *count = &looked_at[turn - upcr_race_turns];
    if (*count < LOOKED_AT)
        ++*count;
    else
        *turn = (unsigned char)upcr_race_random(2 * LOOKED_AT_ONE_IN - 1);
}

bool upcr_race_passes_over(const uint64_t *cells, uint64_t mine, const void *place)
{
    choose_turn(upcr_race_turn(place));
    uint64_t a = __atomic_load_n(&cells[0], __ATOMIC_RELAXED), b = __atomic_load_n(&cells[1], __ATOMIC_RELAXED);
    bool found = (has_recent(a, mine) && !may_race(b)) || (has_recent(b, mine) && !may_race(a));
    if (!found)
        return false;
    if (--passed_over != 0)
        return true;
    passed_over = 1 + upcr_race_random(2 * RECORDED_ONE_IN - 1);
    return false;
}
