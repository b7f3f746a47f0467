/* Vector clocks (Fidge, Mattern; for races: Djit+, FastTrack): what each thread knows of what the others have done.

   Threads pass this knowledge on by objects: a lock, a semaphore, a strict object, a barrier. An object has a clock for each thread and
   agent; a release raises them to what the thread knows, an acquire raises what the thread knows to them. The clocks of objects are in
   the side memory of the thread that the object has affinity to. Objects share them by a hash of their address: that may order more than
   the program does, but never less, so no race is reported that is none. */
#include "runtime.h"

#include <stdatomic.h>
#include <string.h>

#include "races/detector.h"
#include "transport/transport.h"

enum {
    BARRIERS = 2,        /* barriers in turn: a thread reaches the next but one only when all have passed this one */
    MOST_OBJECTS = 4096, /* objects of a thread that do not share clocks */
    LEAST_OBJECTS = 64,
    OBJECT_MEMORY = 1 << 22, /* bytes that more objects than the least may use */
    CLOCKS_IN_CALL = 384,    /* clocks that one call to another machine carries */
    RESTART = UPCR_CLOCK_LAST / 2,
};

uint32_t *upcr_race_known, *upcr_race_known_at_barrier;
uint32_t upcr_race_clock = 1;
UPCR_PTHREAD_LOCAL uint64_t upcr_race_self;
static uint32_t agent_clock;

static size_t clocks_offset;
static unsigned objects; /* of a thread */
static unsigned clocks;  /* of an object: for each thread, for each agent, and for each thread what it would be without locks */
static unsigned barriers_passed;
static uint32_t agent_at_barrier;

static void choose_size(int threads)
{
    clocks = 3 * (unsigned)threads;
    objects = MOST_OBJECTS;
    while (objects > LEAST_OBJECTS && objects * clocks * sizeof(uint32_t) > OBJECT_MEMORY)
        objects /= 2;
}

void upcr_race_set_clock(uint32_t clock)
{
    upcr_race_known[upcr_mythread] = upcr_race_known[2 * upcr_threads + upcr_mythread] = clock;
    /* A signal handler may access shared memory here. The thread must know its own clock then. */
    atomic_signal_fence(memory_order_seq_cst);
    upcr_race_clock = clock;
    upcr_race_self = upcr_race_cell(UPCR_TOUCH_READ, (uint32_t)upcr_mythread, clock, 0);
    upcr_race_nothing_recorded();
}

size_t upcr_race_clock_bytes(int threads)
{
    choose_size(threads);
    return (size_t)(BARRIERS + objects) * clocks * sizeof(uint32_t);
}

void upcr_race_clocks_start(size_t offset)
{
    clocks_offset = offset;
    choose_size(upcr_threads);
    upcr_race_known = upcr_race_memory(clocks * sizeof(uint32_t));
    upcr_race_known_at_barrier = upcr_race_memory(clocks * sizeof(uint32_t));
    upcr_race_set_clock(upcr_race_clock);
}

/* The clocks of an object: the barriers come first, on thread 0. */
struct object {
    int thread;
    unsigned index;
};

static struct object object_at(upcr_pts_t place)
{
    /* The upper bits of the product depend on all bits of the address. */
    uint64_t mixed = ((uint64_t)upcr_addrfield(place) >> 2) * 0x9e3779b97f4a7c15u;
    return (struct object){(int)upcr_threadof(place), BARRIERS + (unsigned)(mixed >> 40) % objects};
}

/* Some of an object's clocks, and what to do with them. */
struct exchange {
    struct object object;
    bool acquire;
    uint32_t first, count;
    uint32_t clock[CLOCKS_IN_CALL];
};
_Static_assert(sizeof(struct exchange) <= UPCR_CALL_MOST, "one call carries it");

static _Atomic uint32_t *clocks_of(struct object object)
{
    char *side = upcr_tp_side(object.thread);
    return side == NULL ? NULL : (_Atomic uint32_t *)(void *)(side + clocks_offset) + (size_t)object.index * clocks;
}

static void raise_to(_Atomic uint32_t *clock, uint32_t value)
{
    uint32_t old = atomic_load_explicit(clock, memory_order_relaxed);
    /* Publishes what the thread has recorded in shadow memory to those that learn the clock. */
    while (old < value && !atomic_compare_exchange_weak_explicit(clock, &old, value, memory_order_release, memory_order_relaxed))
        ;
}

static void release_some(_Atomic uint32_t *object, const uint32_t *known, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (known[i] > atomic_load_explicit(&object[i], memory_order_relaxed))
            raise_to(&object[i], known[i]);
}

static void acquire_some(const _Atomic uint32_t *object, uint32_t *known, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t clock = atomic_load_explicit(&object[i], memory_order_acquire);
        if (clock > known[i])
            known[i] = clock;
    }
}

static void serve_clock(void *data)
{
    struct exchange *e = data;
    _Atomic uint32_t *object = clocks_of(e->object) + e->first;
    if (e->acquire)
        acquire_some(object, e->clock, e->count);
    else
        release_some(object, e->clock, e->count);
}

/* Raises the first clocks of the object to `mine`, or, to acquire, `mine` to those of the object. */
static void exchange_with(struct object object, bool acquire, uint32_t *mine, unsigned count)
{
    _Atomic uint32_t *direct = clocks_of(object);
    if (direct != NULL && acquire)
        acquire_some(direct, mine, count);
    else if (direct != NULL)
        release_some(direct, mine, count);
    if (direct != NULL)
        return;
    struct exchange e = {.object = object, .acquire = acquire};
    for (e.first = 0; e.first < count; e.first += e.count) {
        e.count = count - e.first < CLOCKS_IN_CALL ? count - e.first : CLOCKS_IN_CALL;
        memcpy(e.clock, mine + e.first, e.count * sizeof *e.clock);
        upcr_tp_call(object.thread, serve_clock, &e, sizeof e);
        if (acquire)
            memcpy(mine + e.first, e.clock, e.count * sizeof *e.clock);
    }
}

static unsigned clocks_without(bool lock)
{
    return lock ? 2 * (unsigned)upcr_threads : clocks;
}

/* Everybody may know what the thread has done so far; what it does from now on has a later clock. */
static void advance(void)
{
    upcr_race_set_clock(upcr_race_clock + (upcr_race_clock < UPCR_CLOCK_LAST));
}

static void release(upcr_pts_t place, bool lock)
{
    (lock ? upcr_race_delay_holder : upcr_race_delay)();
    exchange_with(object_at(place), false, upcr_race_known, clocks_without(lock));
    if (!lock)
        upcr_race_sample_none();
    advance();
}

static void acquire(upcr_pts_t place, bool lock)
{
    exchange_with(object_at(place), true, upcr_race_known, clocks_without(lock));
    (lock ? upcr_race_delay_holder : upcr_race_delay)();
}

void upcr_race_release(upcr_pts_t place)
{
    release(place, false);
}

void upcr_race_acquire(upcr_pts_t place)
{
    acquire(place, false);
}

void upcr_race_release_lock(upcr_pts_t place)
{
    release(place, true);
}

void upcr_race_acquire_lock(upcr_pts_t place)
{
    acquire(place, true);
}

const uint32_t *upcr_race_known_without_locks(void)
{
    return upcr_race_known + 2 * upcr_threads;
}

/* ---- Barriers ---------------------------------------------------------------------------------------------------------- */

unsigned upcr_race_barriers(void)
{
    return barriers_passed;
}

static struct object barrier(void)
{
    return (struct object){0, barriers_passed % BARRIERS};
}

void upcr_race_arrive(void)
{
    upcr_race_delay();
    if (agent_at_barrier > upcr_race_known[upcr_threads + upcr_mythread])
        upcr_race_known[upcr_threads + upcr_mythread] = agent_at_barrier;
    exchange_with(barrier(), false, upcr_race_known, clocks);
    upcr_race_sample_none();
    advance();
}

/* Starts all clocks again. All threads do so at the same barrier, after which every earlier access is before every later one. */
static void restart(void)
{
    struct upcr_barrier_outcome outcome;
    /* A signal handler would leave accesses with clocks of before. */
    upcr_race_ignored++;
    upcr_tp_barrier(UPCR_ARRIVAL_ANONYMOUS, 0, &outcome);
    upcr_race_forget_all();
    upcr_race_order_restart();
    /* A thread has its own side memory mapped. */
    memset((char *)upcr_tp_side(upcr_mythread) + clocks_offset, 0, (size_t)(BARRIERS + objects) * clocks * sizeof(uint32_t));
    memset(upcr_race_known, 0, clocks * sizeof(uint32_t));
    agent_clock = agent_at_barrier = 0;
    upcr_race_set_clock(1);
    upcr_tp_barrier(UPCR_ARRIVAL_ANONYMOUS, 0, &outcome);
    upcr_race_ignored--;
}

void upcr_race_pass(void)
{
    uint32_t *passed = upcr_race_known_at_barrier, highest = 0;
    memset(passed, 0, clocks * sizeof *passed);
    exchange_with(barrier(), true, passed, clocks);
    barriers_passed++;
    for (unsigned i = 0; i < clocks; i++) {
        if (passed[i] > upcr_race_known[i])
            upcr_race_known[i] = passed[i];
        if (passed[i] > highest)
            highest = passed[i];
    }
    /* All threads have read the same clocks of the barrier, so they decide alike. */
    if (highest > RESTART)
        restart();
    memcpy(passed, upcr_race_known, clocks * sizeof *passed);
    /* What the thread itself does from now on is not before the barrier. */
    passed[upcr_mythread] = upcr_race_clock - 1;
    upcr_race_delay();
}

/* ---- The agent ---------------------------------------------------------------------------------------------------------- */

uint32_t upcr_race_agent_begins(void)
{
    if (agent_clock < UPCR_CLOCK_LAST)
        agent_clock++;
    return agent_clock;
}

void upcr_race_finished(uint32_t clock)
{
    uint32_t *known = &upcr_race_known[upcr_threads + upcr_mythread];
    if (clock > *known)
        *known = clock;
}

void upcr_race_finished_at_barrier(uint32_t clock)
{
    if (clock > agent_at_barrier)
        agent_at_barrier = clock;
}
