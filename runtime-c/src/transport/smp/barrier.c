/* Central barrier with a split phase, and the broadcast built on it. */
#include "runtime.h"

#include <string.h>

#include "transport/smp/job.h"

/* Barriers this process has completed: the epoch it is in. */
static uint32_t my_epoch;

/* What this process brought to it. */
static enum upcr_arrival my_arrival;
static int my_value;

static uint64_t make_arrival(int value)
{
    return (uint64_t)(uint32_t)(upcr_mythread + 1) << 32 | (uint32_t)value;
}

static int named_thread(uint64_t arrival)
{
    return (int)(arrival >> 32) - 1;
}

static int arrival_value(uint64_t arrival)
{
    return (int)(uint32_t)arrival;
}

static void note_arrival(struct smp_ballot *ballot, enum upcr_arrival arrival, int value)
{
    uint64_t mine = make_arrival(value), first = 0, none = 0;
    switch (arrival) {
    case UPCR_ARRIVAL_ANONYMOUS:
        break;
    case UPCR_ARRIVAL_NAMED:
        if (!atomic_compare_exchange_strong(&ballot->consensus, &first, mine) && arrival_value(first) != value)
            atomic_compare_exchange_strong(&ballot->dissent, &none, mine);
        break;
    case UPCR_ARRIVAL_LEAVE:
        smp_job->thread[upcr_mythread].exit_status = value;
        atomic_store(&ballot->a_leaver, (uint32_t)upcr_mythread);
        atomic_fetch_add(&ballot->leavers, 1);
        break;
    }
}

static bool is_blank(struct smp_ballot *ballot)
{
    return atomic_load_explicit(&ballot->consensus, memory_order_relaxed) == 0 &&
           atomic_load_explicit(&ballot->leavers, memory_order_relaxed) == 0;
}

/* A blank one is not written to: all threads read it in the next barrier, and have its cache line still. */
static void clear_ballot(struct smp_ballot *ballot)
{
    if (is_blank(ballot))
        return;
    atomic_store_explicit(&ballot->consensus, 0, memory_order_relaxed);
    atomic_store_explicit(&ballot->dissent, 0, memory_order_relaxed);
    atomic_store_explicit(&ballot->leavers, 0, memory_order_relaxed);
}

/* Counts this thread in. True for the last one, who has to call release. When some threads have come to leave and others to stay,
   the barrier can no longer be what either wants: it is over at once, and its outcome says why. A arrival to leave is counted before
   its thread, so the last of those to arrive sees more arrivals than arrivals. */
static bool arrive(void)
{
    struct smp_barrier *barrier = &smp_job->barrier;
    atomic_store_explicit(&host_me()->waiting.arrived, my_epoch + 1, memory_order_relaxed);
    uint32_t arrived = atomic_fetch_add(&barrier->arrived, 1) + 1;
    if (arrived == (uint32_t)upcr_threads)
        return true;
    uint32_t leavers = atomic_load(&barrier->ballots[my_epoch & 1].leavers);
    if (__builtin_expect(leavers != 0 && leavers < arrived, 0))
        upcr_event_set(&barrier->epoch, my_epoch + 1);
    return false;
}

static void release(void)
{
    struct smp_barrier *barrier = &smp_job->barrier;
    /* All are here, so all have read the outcome of the epoch before, whose ballot the next one uses. */
    clear_ballot(&barrier->ballots[(my_epoch + 1) & 1]);
    atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
    upcr_event_set(&barrier->epoch, my_epoch + 1);
}

void upcr_tp_notify(enum upcr_arrival arrival, int value)
{
    my_arrival = arrival;
    my_value = value;
    if (arrival != UPCR_ARRIVAL_ANONYMOUS)
        note_arrival(&smp_job->barrier.ballots[my_epoch & 1], arrival, value);
    if (arrive())
        release();
}

void upcr_tp_rendezvous(void (*work)(void *), void *argument, struct upcr_barrier_outcome *outcome)
{
    if (arrive()) {
        work(argument);
        release();
    }
    upcr_tp_wait(outcome);
}

bool upcr_tp_try_wait(void)
{
    return atomic_load_explicit(&smp_job->barrier.epoch.word, memory_order_acquire) != my_epoch;
}

static void wait_for_all(void)
{
    struct host_waiting *waiting = &host_me()->waiting;
    waiting->named = my_arrival == UPCR_ARRIVAL_NAMED;
    waiting->value = my_value;
    host_wait_begins(HOST_IN_BARRIER, NULL);
    upcr_wait_while(&smp_job->barrier.epoch, my_epoch);
    host_wait_ends();
}

void upcr_tp_wait(struct upcr_barrier_outcome *outcome)
{
    struct smp_ballot *ballot = &smp_job->barrier.ballots[my_epoch & 1];
    if (!upcr_tp_try_wait())
        wait_for_all();
    my_epoch++;
    my_arrival = UPCR_ARRIVAL_ANONYMOUS;
    uint64_t consensus = atomic_load_explicit(&ballot->consensus, memory_order_relaxed);
    uint64_t dissent = atomic_load_explicit(&ballot->dissent, memory_order_relaxed);
    outcome->leavers = (int)atomic_load_explicit(&ballot->leavers, memory_order_relaxed);
    outcome->a_leaver = (int)atomic_load_explicit(&ballot->a_leaver, memory_order_relaxed);
    outcome->leaver_status = smp_job->thread[outcome->a_leaver].exit_status;
    outcome->named = consensus != 0;
    outcome->value = arrival_value(consensus);
    outcome->value_thread = named_thread(consensus);
    outcome->dissent = dissent != 0;
    outcome->other_value = arrival_value(dissent);
    outcome->other_thread = named_thread(dissent);
}

void upcr_tp_barrier(enum upcr_arrival arrival, int value, struct upcr_barrier_outcome *outcome)
{
    upcr_tp_notify(arrival, value);
    upcr_tp_wait(outcome);
}

void upcr_tp_broadcast(void *buf, size_t n, struct upcr_barrier_outcome *outcome)
{
    /* Two buffers in turn: thread 0 comes back to the first only after a barrier that all enter having read it. */
    static unsigned turn;
    unsigned char *shared = smp_job->broadcast[turn++ & 1];
    if (upcr_mythread == 0)
        memcpy(shared, buf, n);
    upcr_tp_notify(UPCR_ARRIVAL_ANONYMOUS, 0);
    upcr_tp_wait(outcome);
    memcpy(buf, shared, n);
}

bool host_has_arrived(const struct host_waiting *waiting)
{
    return atomic_load(&waiting->arrived) != atomic_load(&smp_job->barrier.epoch.word);
}
