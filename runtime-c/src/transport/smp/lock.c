/* A queue lock in which only the waiting threads need a node (the K42 form of the MCS lock): the holder keeps its
   successor in the lock itself. So one node per thread is enough, however many locks it holds, and each waiter waits
   for its own word. Threads are named by number + 1; 0 is NOBODY.

   Each change of `tail` acquires what the changes before it released, so these publish:
   - HELD -> NOBODY in unlock: what the holder did, to the thread that takes the free lock.
   - any -> my_name() in lock: this thread's node, to its successor.
   - my_name() -> HELD in wait_in_queue: the lock's cleared `next`, to the next thread that joins the queue.
   The words that threads wait for (`next`, `lock_next`, `lock_turn`) are set by upcr_event_set, which releases. A name
   in them publishes the named thread's node; the turn publishes what the holder did. */
#include "runtime.h"

#include "checks.def"
#include "transport/smp/job.h"

struct smp_lock {
    _Atomic uint32_t tail;   /* NOBODY: free; HELD: held, and no thread waits; else the last waiter */
    struct upcr_event next;  /* the first waiter, once the holder knows it */
    _Atomic uint64_t holder; /* lower half: the holder, to detect misuse; upper half: see stamp() */
    uint32_t mark;
    uintptr_t made_at; /* return address of the allocating call, for reports */
};

enum { NOBODY = 0, HELD = UINT32_MAX >> 1, LOCK_MARK = 0x10c4ab1e, WAITING = 1, MY_TURN = 0 };

_Static_assert(sizeof(struct smp_lock) <= UPCR_LOCK_BYTES, "a lock fits its place");

static struct smp_lock *lock_at(upcr_pts_t place)
{
    struct smp_lock *lock = smp_at(place);
    if (__builtin_expect(lock->mark != LOCK_MARK, 0))
        upcr_die(CHECK_LOCK_NONE, "a lock function", upcr_threadof(place), upcr_addrfield(place));
    return lock;
}

static uint32_t my_name(void)
{
    return (uint32_t)upcr_mythread + 1;
}

/* Returns this thread as the holder and, for reports, the distance of its call from the runtime's code. Both fit one
   word: a second store would make an uncontended lock two percent slower. */
static uint64_t stamp(const void *caller)
{
    return (uint64_t)(uint32_t)((uintptr_t)caller - (uintptr_t)upcr_tp_lock_init) << 32 | my_name();
}

static uint32_t holder_name(const struct smp_lock *lock)
{
    return (uint32_t)atomic_load_explicit(&lock->holder, memory_order_relaxed);
}

static struct smp_thread *waiter(uint32_t name)
{
    return &smp_job->thread[name - 1];
}

void upcr_tp_lock_init(upcr_pts_t place, const void *caller)
{
    struct smp_lock *lock = smp_at(place);
    /* No other thread has the lock's address yet. */
    atomic_store_explicit(&lock->tail, NOBODY, memory_order_relaxed);
    atomic_store_explicit(&lock->next.word, NOBODY, memory_order_relaxed);
    atomic_store_explicit(&lock->next.sleepers, 0, memory_order_relaxed);
    atomic_store_explicit(&lock->holder, NOBODY, memory_order_relaxed);
    lock->made_at = (uintptr_t)caller;
    lock->mark = LOCK_MARK;
}

void upcr_tp_lock_destroy(upcr_pts_t place)
{
    lock_at(place)->mark = 0;
}

/* Waits behind `previous` and then moves the queue behind this thread into the lock, which frees this thread's node. */
static void wait_in_queue(struct smp_lock *lock, uint32_t previous, enum host_wait kind)
{
    struct smp_thread *me = &smp_job->thread[upcr_mythread];
    uint32_t expected = my_name();
    if (previous == HELD)
        upcr_event_set(&lock->next, my_name());
    else
        upcr_event_set(&waiter(previous)->lock_next, my_name());
    host_wait_begins(kind, lock);
    upcr_wait_while(&me->lock_turn, WAITING);
    host_wait_ends();

    uint32_t next = atomic_load_explicit(&me->lock_next.word, memory_order_acquire);
    if (next == NOBODY) {
        atomic_store_explicit(&lock->next.word, NOBODY, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(&lock->tail, &expected, HELD, memory_order_acq_rel, memory_order_relaxed))
            return;
        /* Another thread has joined the queue behind this one and is about to record itself. */
        upcr_wait_while(&me->lock_next, NOBODY);
        next = atomic_load_explicit(&me->lock_next.word, memory_order_relaxed);
    }
    /* Only the holder reads it: this thread. */
    atomic_store_explicit(&lock->next.word, next, memory_order_relaxed);
}

void upcr_tp_lock(upcr_pts_t place, const void *caller)
{
    struct smp_lock *lock = lock_at(place);
    struct smp_thread *me = &smp_job->thread[upcr_mythread];
    uint32_t tail = NOBODY;
    if (!atomic_compare_exchange_strong_explicit(&lock->tail, &tail, HELD, memory_order_acq_rel, memory_order_relaxed)) {
        if (holder_name(lock) == my_name())
            upcr_die(CHECK_LOCK_HELD, "upc_lock");
        atomic_store_explicit(&me->lock_next.word, NOBODY, memory_order_relaxed);
        atomic_store_explicit(&me->lock_turn.word, WAITING, memory_order_relaxed);
        /* If the lock has become free, take it; otherwise become the last in the queue. */
        while (!atomic_compare_exchange_weak_explicit(&lock->tail, &tail, tail == NOBODY ? HELD : my_name(), memory_order_acq_rel, memory_order_relaxed))
            continue;
        if (tail != NOBODY)
            wait_in_queue(lock, tail, caller != NULL ? HOST_FOR_LOCK : HOST_FOR_OTHER);
    }
    atomic_store_explicit(&lock->holder, stamp(caller), memory_order_relaxed);
}

bool upcr_tp_lock_attempt(upcr_pts_t place, const void *caller)
{
    struct smp_lock *lock = lock_at(place);
    uint32_t tail = atomic_load_explicit(&lock->tail, memory_order_relaxed);
    if (tail != NOBODY || !atomic_compare_exchange_strong_explicit(&lock->tail, &tail, HELD, memory_order_acq_rel, memory_order_relaxed)) {
        if (holder_name(lock) == my_name())
            upcr_die(CHECK_LOCK_HELD, "upc_lock_attempt");
        return false;
    }
    atomic_store_explicit(&lock->holder, stamp(caller), memory_order_relaxed);
    return true;
}

void upcr_tp_unlock(upcr_pts_t place)
{
    struct smp_lock *lock = lock_at(place);
    uint32_t held = HELD;
    if (__builtin_expect(holder_name(lock) != my_name(), 0))
        upcr_die(CHECK_UNLOCK);
    atomic_store_explicit(&lock->holder, NOBODY, memory_order_relaxed);
    uint32_t next = atomic_load_explicit(&lock->next.word, memory_order_acquire);
    if (next == NOBODY) {
        if (atomic_compare_exchange_strong_explicit(&lock->tail, &held, NOBODY, memory_order_acq_rel, memory_order_relaxed))
            return;
        upcr_wait_while(&lock->next, NOBODY);
        next = atomic_load_explicit(&lock->next.word, memory_order_relaxed);
    }
    upcr_event_set(&waiter(next)->lock_turn, MY_TURN);
}

static void look_at(const void *place, struct host_lock_state *state)
{
    const struct smp_lock *lock = place;
    uint64_t holder = atomic_load_explicit(&lock->holder, memory_order_relaxed);
    state->holder = (int)(uint32_t)holder - 1;
    state->made_at = lock->made_at;
    state->taken_at = (uintptr_t)upcr_tp_lock_init + (uintptr_t)(int32_t)(uint32_t)(holder >> 32);
}

void host_complete_answer(struct host_answer *answer)
{
    answer->lock_seen = answer->waiting.lock != NULL;
    if (answer->lock_seen)
        look_at(answer->waiting.lock, &answer->lock);
}

bool host_has_lock(int slot)
{
    return host_read(&smp_job->thread[slot].lock_turn.word) == MY_TURN;
}

/* The offsets of what upcgdb/waiting.py reads, in its order, for debuggers that do not know the runtime's types. */
extern const uint32_t upcr_smp_layout[];
__attribute__((__used__)) const uint32_t upcr_smp_layout[] = {
    offsetof(struct smp_job, barrier.epoch.word),
    offsetof(struct host_job, thread),
    sizeof(struct host_thread),
    offsetof(struct host_thread, waiting.kind),
    offsetof(struct host_thread, waiting.arrived),
    offsetof(struct host_thread, waiting.named),
    offsetof(struct host_thread, waiting.value),
    offsetof(struct host_thread, waiting.lock),
    offsetof(struct smp_lock, holder),
};
