/* Deadlocks before they happen: threads that acquire locks in different orders, in whatever order this run happens to have done it.

   A step is a thread that acquires a lock while it holds another one. Steps that form a circle of locks are a deadlock if all of them can
   be under way at once: they belong to different threads, no lock is held during two of them, and nothing but locks orders them. The
   list of steps is in the side memory of thread 0. */
#include "runtime.h"

#include <string.h>

#include "races/detector.h"
#include "transport/transport.h"
#include "wait.h"

enum {
    STEPS = 2048,
    HELD = 8,    /* locks that a thread holds at once; what it holds beyond is not followed */
    CIRCLE = 6,  /* steps of a circle */
    CIRCLES = 8, /* that one search returns */
    STEPS_KNOWN = 1024,
};

struct step {
    uint64_t held, taken;  /* locks */
    uint64_t others[HELD]; /* what else the thread holds */
    uint32_t other_count;
    uint32_t clock;
    struct upcr_lock_step report;
};

struct steps {
    struct upcr_mutex lock;
    uint32_t count;
    struct step step[STEPS];
};

struct circle {
    uint32_t count;
    uint32_t clock[CIRCLE];
    struct upcr_lock_step step[CIRCLE];
};

/* A new step, and the circles that it closes. */
struct search {
    struct step added;
    uint32_t count;
    struct circle found[CIRCLES];
};
_Static_assert(sizeof(struct search) <= UPCR_CALL_MOST, "one call carries it");

static size_t steps_offset;

static struct {
    uint64_t lock;
    uint32_t site;
} held[HELD];
static uint32_t held_count;

size_t upcr_race_order_bytes(void)
{
    return sizeof(struct steps);
}

void upcr_race_order_start(size_t offset)
{
    steps_offset = offset;
}

static struct steps *steps(void)
{
    return (struct steps *)(void *)((char *)upcr_tp_side(0) + steps_offset);
}

void upcr_race_order_restart(void)
{
    if (upcr_mythread == 0)
        steps()->count = 0;
}

static uint64_t name_of(upcr_pts_t lock)
{
    return (uint64_t)upcr_threadof(lock) << 48 | upcr_addrfield(lock);
}

/* ---- Circles ------------------------------------------------------------------------------------------------------------- */

static bool holds(const struct step *step, uint64_t lock)
{
    for (uint32_t i = 0; i < step->other_count; i++)
        if (step->others[i] == lock)
            return true;
    return false;
}

/* Returns whether two steps can be under way at once, as far as threads and locks say. */
static bool together(const struct step *a, const struct step *b)
{
    if (a->report.thread == b->report.thread || a->held == b->held)
        return false;
    for (uint32_t i = 0; i < a->other_count; i++)
        if (holds(b, a->others[i]) || b->held == a->others[i])
            return false;
    return !holds(b, a->held);
}

static void keep(struct search *search, const struct step *const *path, uint32_t length)
{
    if (search->count == CIRCLES)
        return;
    struct circle *circle = &search->found[search->count++];
    circle->count = length;
    for (uint32_t i = 0; i < length; i++) {
        circle->step[i] = path[i]->report;
        circle->clock[i] = path[i]->clock;
    }
}

/* Extends a path of steps, of which the first is the new one, until it comes back to the lock where it began. */
static void extend(struct search *search, const struct step **path, uint32_t length)
{
    const struct steps *all = steps();
    for (uint32_t i = 0; i < all->count; i++) {
        const struct step *next = &all->step[i];
        bool fits = next->held == path[length - 1]->taken;
        for (uint32_t k = 0; fits && k < length; k++)
            fits = together(next, path[k]);
        if (!fits)
            continue;
        path[length] = next;
        if (next->taken == path[0]->held)
            keep(search, path, length + 1);
        else if (length + 1 < CIRCLE)
            extend(search, path, length + 1);
    }
}

static void add(void *data)
{
    struct search *search = data;
    struct steps *all = steps();
    const struct step *path[CIRCLE] = {&search->added};
    upcr_mutex_lock(&all->lock);
    extend(search, path, 1);
    if (all->count < STEPS)
        all->step[all->count++] = search->added;
    upcr_mutex_unlock(&all->lock);
}

/* Returns whether nothing but locks orders the steps with what this thread does now. */
static bool is_open(const struct circle *circle)
{
    for (uint32_t i = 1; i < circle->count; i++)
        if (circle->clock[i] <= upcr_race_known_without_locks()[circle->step[i].thread])
            return false;
    return true;
}

/* Returns whether this thread has made the same step since it last passed a barrier. */
static bool is_new(const struct step *step)
{
    static uint64_t known[STEPS_KNOWN];
    uint64_t key = (step->held * 31 + step->taken) * 0x9e3779b97f4a7c15u ^ (uint64_t)step->report.site << 32 ^ upcr_race_barriers();
    for (uint32_t i = 0; i < step->other_count; i++)
        key = key * 31 + step->others[i];
    uint64_t *entry = &known[(key >> 40) % STEPS_KNOWN];
    bool is_new = *entry != key;
    *entry = key;
    return is_new;
}

static void take_step(uint32_t from, uint64_t lock, uint32_t site)
{
    struct search search = {.added = {.held = held[from].lock, .taken = lock, .clock = upcr_race_clock, .report = {upcr_mythread, site, held[from].site}}};
    for (uint32_t i = 0; i < held_count; i++)
        if (i != from)
            search.added.others[search.added.other_count++] = held[i].lock;
    if (!is_new(&search.added))
        return;
    if (upcr_tp_side(0) != NULL)
        add(&search);
    else
        upcr_tp_call(0, add, &search, sizeof search);
    for (uint32_t i = 0; i < search.count; i++)
        if (is_open(&search.found[i]))
            upcr_race_report_locks(search.found[i].step, (int)search.found[i].count);
}

/* ---- What this thread holds ---------------------------------------------------------------------------------------------- */

void upcr_race_locked(upcr_pts_t lock, const void *pc, bool waited)
{
    uint32_t site = upcr_race_site_of_call(pc, "upc_lock");
    upcr_race_acquire_lock(lock);
    for (uint32_t i = 0; waited && i < held_count; i++)
        take_step(i, name_of(lock), site);
    if (held_count < HELD) {
        held[held_count].lock = name_of(lock);
        held[held_count++].site = site;
    }
    upcr_race_choose_samples();
}

void upcr_race_unlocking(upcr_pts_t lock)
{
    for (uint32_t i = 0; i < held_count; i++) {
        if (held[i].lock != name_of(lock))
            continue;
        memmove(&held[i], &held[i + 1], (held_count - i - 1) * sizeof held[0]);
        held_count--;
        break;
    }
    upcr_race_choose_samples();
    upcr_race_release_lock(lock);
}

bool upcr_race_holds_lock(void)
{
    return held_count != 0;
}
