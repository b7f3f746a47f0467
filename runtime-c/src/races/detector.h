/* The interface between the files of this folder. */
#ifndef UPCR_RACES_DETECTOR_H
#define UPCR_RACES_DETECTOR_H

#include <stdatomic.h>

#include "upcr/checks.h"
#include "upcr/race_cells.h"

#include "races/races.h"

/* Whether this is the main thread of a UPC thread, after its start. What other pthreads do is not followed. */
extern UPCR_PTHREAD_LOCAL bool upcr_race_on;

/* Returns zeroed private memory; ends the job if there is none. */
void *upcr_race_memory(size_t bytes);

/* ---- Clocks: clocks.c ------------------------------------------------------------------------------------------------- */

/* What this thread knows of each thread and each agent: the accesses of thread t up to clock known[t] are before the thread's next
   one, those of t's agent up to known[upcr_threads + t]. */
extern uint32_t *upcr_race_known;

/* The same at the last barrier that the thread has passed, and the number of barriers. */
extern uint32_t *upcr_race_known_at_barrier;
unsigned upcr_race_barriers(void);

/* What the thread would know of each thread if there were no locks. */
const uint32_t *upcr_race_known_without_locks(void);

/* A thread's own clock is beyond what others know of it. A cell has this many bits for it. When a clock comes near to the end, the next
   barrier starts all clocks again and forgets all accesses: they are before what follows anyway. */
enum { UPCR_CLOCK_LAST = (1 << UPCR_CLOCK_BITS) - 1 };

/* The thread's clock. */
extern uint32_t upcr_race_clock;
/* Sets it, and upcr_race_self with it. */
void upcr_race_set_clock(uint32_t clock);

size_t upcr_race_clock_bytes(int threads);
void upcr_race_clocks_start(size_t side_offset);

void upcr_race_release(upcr_pts_t object);
void upcr_race_acquire(upcr_pts_t object);
/* The same for a lock, whose order this run has chosen by chance. */
void upcr_race_release_lock(upcr_pts_t lock);
void upcr_race_acquire_lock(upcr_pts_t lock);
void upcr_race_arrive(void);
void upcr_race_pass(void);

/* The agent begins a transfer or a call: returns its clock. */
uint32_t upcr_race_agent_begins(void);
void upcr_race_finished(uint32_t clock);
void upcr_race_finished_at_barrier(uint32_t clock);

/* ---- Places of accesses: sites.c -------------------------------------------------------------------------------------- */

/* A site is a place in the program with the calls that lead to it, and the library function that it calls. All threads number sites
   alike. 0: there were too many. */
enum { UPCR_SITES = 1 << UPCR_SITE_BITS };

size_t upcr_race_site_bytes(void);
void upcr_race_sites_start(size_t side_offset);

/* Return the site of an access by an operator, of one by a pointer-to-local in front of pc, and of one by a library function. pc of the
   last: in the caller of the function. */
uint32_t upcr_race_site(const upcr_place *here);
uint32_t upcr_race_site_of_pc(const void *pc);
uint32_t upcr_race_site_of_call(const void *pc, const char *function);

/* Returns the chain of calls that consists of `calls` and a call that returns to `pc`. */
uint32_t upcr_race_chain(uint32_t calls, const void *pc);

/* A place for a reader. */
struct upcr_race_place {
    char file[200];
    int line;          /* 0: not known */
    char function[64]; /* of the user; "": not known */
};

enum { UPCR_SITE_CALLS = 12 };

struct upcr_race_site {
    struct upcr_race_place place;
    const char *library; /* the function; NULL: an operator */
    int calls;           /* the innermost calls that lead to the place */
    struct upcr_race_place call[UPCR_SITE_CALLS];
};

void upcr_race_describe(uint32_t site, struct upcr_race_site *description);

/* ---- Shadow memory: shadow.c ------------------------------------------------------------------------------------------- */

/* Returns a cell without bytes. thread: a thread, or upcr_threads plus the thread of an agent. */
static inline uint64_t upcr_race_cell(enum upcr_touch how, uint32_t thread, uint32_t clock, uint32_t site)
{
    return ((uint64_t)((how & UPCR_TOUCH_WRITE) != 0) << UPCR_CELL_WRITES) | ((uint64_t)((how & UPCR_TOUCH_ORDERED) != 0) << UPCR_CELL_ORDERED) |
           ((uint64_t)thread << UPCR_CELL_THREAD) | ((uint64_t)clock << UPCR_CELL_CLOCK) | site;
}

static inline bool upcr_cell_writes(uint64_t cell)
{
    return (cell >> UPCR_CELL_WRITES & 1) != 0;
}

/* Returns how many bytes a cell has. */
static inline size_t upcr_cell_count(uint64_t cell)
{
    return (size_t)__builtin_popcountll(cell >> UPCR_CELL_BYTES);
}

static inline bool upcr_cell_ordered(uint64_t cell)
{
    return (cell >> UPCR_CELL_ORDERED & 1) != 0;
}

static inline uint32_t upcr_cell_thread(uint64_t cell)
{
    return (uint32_t)(cell >> UPCR_CELL_THREAD) & ((1u << UPCR_CELL_THREAD_BITS) - 1);
}

static inline uint32_t upcr_cell_clock(uint64_t cell)
{
    return (uint32_t)(cell >> UPCR_CELL_CLOCK) & UPCR_CLOCK_LAST;
}

static inline uint32_t upcr_cell_site(uint64_t cell)
{
    return (uint32_t)cell & (UPCR_SITES - 1);
}

/* Returns the access to n bytes from byte `from` of a granule, all in the granule. */
static inline uint64_t upcr_cell_with_bytes(uint64_t access, size_t from, size_t n)
{
    return access | (uint64_t)((0xffu >> (UPCR_GRANULE - n)) << from) << UPCR_CELL_BYTES;
}

size_t upcr_race_shadow_bytes(size_t segment_bytes);
void upcr_race_shadow_start(size_t side_offset);

/* Records an access to n > 0 bytes at p, and reports what it races with. access: a cell without bytes; known: what is before it. */
void upcr_race_record(upcr_pts_t p, size_t n, uint64_t access, const uint32_t *known);
void upcr_race_forget(upcr_pts_t place, size_t n);
/* Forgets all accesses to this thread's segment. */
void upcr_race_forget_all(void);

/* ---- Reports: report.c -------------------------------------------------------------------------------------------------- */

size_t upcr_race_report_bytes(void);
void upcr_race_report_start(size_t side_offset);

/* `mine` has just been made to a granule at p, `other` before, and nothing orders them. */
void upcr_race_report(upcr_pts_t granule, uint64_t mine, uint64_t other);

/* A thread and place that acquires a lock while it holds another. */
struct upcr_lock_step {
    int thread;
    uint32_t site;       /* where it acquires the second */
    uint32_t held_since; /* where it acquired the first */
};
void upcr_race_report_locks(const struct upcr_lock_step *steps, int count);

/* Returns whether a thread has reported anything. others_run: all threads still run; if not, only this thread's reports may be known. */
bool upcr_race_has_reported(bool others_run);

/* ---- Order of locks: lock_order.c ---------------------------------------------------------------------------------------- */

size_t upcr_race_order_bytes(void);
void upcr_race_order_start(size_t side_offset);
void upcr_race_order_restart(void);
void upcr_race_locked(upcr_pts_t lock, const void *pc, bool waited);
void upcr_race_unlocking(upcr_pts_t lock);
/* Returns whether this thread holds a lock. */
bool upcr_race_holds_lock(void);

/* ---- Accesses: access.c -------------------------------------------------------------------------------------------------- */

/* See upcr_races. */
void upcr_race_touch(upcr_pts_t p, size_t n, enum upcr_touch how, const char *function, const void *pc);
uint32_t upcr_race_touch_later(uint32_t clock, upcr_pts_t p, size_t n, enum upcr_touch how, enum upcr_since since, const char *function, const void *pc);

/* An access by a pointer-to-local, which is of no interest if it points to private memory. */
void upcr_race_touch_local(const volatile void *address, size_t n, enum upcr_touch how, const void *pc);

/* What has been recorded may have been forgotten, or have an earlier clock than this thread's. */
void upcr_race_nothing_recorded(void);

/* Enclose an atomic operation of C. */
void upcr_race_atomic_begins(const volatile void *address, size_t n, enum upcr_touch how, const void *pc);
void upcr_race_atomic_ends(const volatile void *address);

/* ---- Accesses that are not recorded: ignored.c ---------------------------------------------------------------------------- */

/* The number of reasons not to record the calling thread's accesses. */
extern UPCR_PTHREAD_LOCAL unsigned upcr_race_ignored;
/* See upcr_races. */
void upcr_race_ignore_begin(void);
void upcr_race_ignore_end(void);
void upcr_race_compares(upcr_pts_t a, upcr_pts_t b, size_t n);

/* The bytes of each of two elements that a function of the program compares; 0: none does. */
extern UPCR_PTHREAD_LOCAL size_t upcr_race_compared;
/* Returns whether a place is in one of them. */
bool upcr_race_is_compared(upcr_pts_t place);

/* ---- Delays: delay.c ----------------------------------------------------------------------------------------------------- */

void upcr_race_delays_start(void);

/* Lets other threads overtake this one, now and then: before and after it synchronizes; at some of its accesses. */
void upcr_race_delay(void);
/* The same for a thread that holds a lock. Others may have to wait for it, so it is seldom delayed. */
void upcr_race_delay_holder(void);

/* Counts down to the next delay at an access. */
extern uint32_t upcr_race_until_delay;

/* Returns a number from 0 to bound - 1, by the seed of the delays. */
uint32_t upcr_race_random(uint32_t bound);

/* ---- Reads in critical sections: sampled.c ---------------------------------------------------------------------------------- */

/* Reads are sampled (upcr_race_samples) if the thread holds a lock, and has read much since it last released something other than a lock. */
/* The thread has acquired or released a lock. */
void upcr_race_choose_samples(void);
/* The thread has released something other than a lock: its next reads are all recorded. */
void upcr_race_sample_none(void);
/* Counts an access that is recorded. */
void upcr_race_sample_count(void);
/* Looks at a relaxed read in a granule with these cells, and returns whether it need not be recorded. Call only if reads are sampled. */
bool upcr_race_passes_over(const uint64_t *cells, uint64_t mine, const void *place);

#endif
