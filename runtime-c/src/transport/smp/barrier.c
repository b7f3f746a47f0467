/* The central split-phase barrier, and the broadcast built on it. */
#include "runtime.h"

#include <string.h>

#include "transport/smp/job.h"

/* Number of barriers that this process has completed: its current epoch. */
static uint32_t my_epoch;

/* What this process brought to the barrier. */
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
        /* Each word holds all it says; arrive() publishes both. */
        if (!atomic_compare_exchange_strong_explicit(&ballot->consensus, &first, mine, memory_order_relaxed, memory_order_relaxed) &&
            arrival_value(first) != value)
            atomic_compare_exchange_strong_explicit(&ballot->dissent, &none, mine, memory_order_relaxed, memory_order_relaxed);
        break;
    case UPCR_ARRIVAL_LEAVE:
        /* The first publishes what the thread has done to upcr_tp_has_left, the second the status and the third a_leaver, to arrive()
           and upcr_tp_wait. */
        atomic_store_explicit(&smp_job->thread[upcr_mythread].left, 1 + (uint32_t)(value & 0xff), memory_order_release);
        atomic_store_explicit(&ballot->a_leaver, (uint32_t)upcr_mythread, memory_order_release);
        atomic_fetch_add_explicit(&ballot->leavers, 1, memory_order_release);
        break;
    }
}

static bool is_blank(struct smp_ballot *ballot)
{
    return atomic_load_explicit(&ballot->consensus, memory_order_relaxed) == 0 && atomic_load_explicit(&ballot->leavers, memory_order_relaxed) == 0;
}

/* Clears a ballot. A blank one is not written to: all threads read it in the next barrier and still have its cache
   line. */
static void clear_ballot(struct smp_ballot *ballot)
{
    if (is_blank(ballot))
        return;
    atomic_store_explicit(&ballot->consensus, 0, memory_order_relaxed);
    atomic_store_explicit(&ballot->dissent, 0, memory_order_relaxed);
    atomic_store_explicit(&ballot->leavers, 0, memory_order_relaxed);
}

/* Counts this thread as arrived. Returns true for the last one, which has to call release. If some threads have come
   to leave and others to stay, neither can get the barrier they want: it is over at once, and its outcome says why.
   A thread that leaves is counted among the leavers before it is counted among the arrivals, so if some stay, the
   last thread to arrive sees more arrivals than leavers. */
static bool arrive(void)
{
    struct smp_barrier *barrier = &smp_job->barrier;
    atomic_store_explicit(&host_me()->waiting.arrived, my_epoch + 1, memory_order_relaxed);
    /* Publishes what this thread did before the barrier, and acquires the same from those that arrived before. So the
       last thread has all of it, and passes it on with the epoch (upcr_event_set, upcr_wait_while). */
    uint32_t arrived = atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1;
    if (arrived == (uint32_t)upcr_threads)
        return true;
    uint32_t leavers = atomic_load_explicit(&barrier->ballots[my_epoch & 1].leavers, memory_order_acquire);
    if (__builtin_expect(leavers != 0 && leavers < arrived, 0))
        upcr_event_set(&barrier->epoch, my_epoch + 1);
    return false;
}

static void release(void)
{
    struct smp_barrier *barrier = &smp_job->barrier;
    /* All threads have arrived, so all have read the outcome of the previous epoch, whose ballot the next epoch
       uses. The epoch publishes the cleared words. */
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
    /* Acquires what all threads did before the barrier, from upcr_event_set in release() or arrive(). */
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

/* True after the first barriers, in which programs fill their arrays, and then ever more rarely. */
static bool is_a_turn(uint32_t epoch)
{
    return epoch <= 8 || (epoch & (epoch - 1)) == 0;
}

void upcr_tp_wait(struct upcr_barrier_outcome *outcome)
{
    struct smp_ballot *ballot = &smp_job->barrier.ballots[my_epoch & 1];
    if (!upcr_tp_try_wait())
        wait_for_all();
    my_epoch++;
    my_arrival = UPCR_ARRIVAL_ANONYMOUS;
    if (is_a_turn(my_epoch))
        smp_touched_map();
    uint64_t consensus = atomic_load_explicit(&ballot->consensus, memory_order_relaxed);
    uint64_t dissent = atomic_load_explicit(&ballot->dissent, memory_order_relaxed);
    /* Threads may still come to leave after a barrier that is over because others stay. */
    outcome->leavers = (int)atomic_load_explicit(&ballot->leavers, memory_order_acquire);
    outcome->a_leaver = (int)atomic_load_explicit(&ballot->a_leaver, memory_order_acquire);
    outcome->leaver_status = (int)upcr_tp_has_left(outcome->a_leaver) - 1;
    outcome->named = consensus != 0;
    outcome->value = arrival_value(consensus);
    outcome->value_thread = named_thread(consensus);
    outcome->dissent = dissent != 0;
    outcome->other_value = arrival_value(dissent);
    outcome->other_thread = named_thread(dissent);
}

uint32_t upcr_tp_has_left(int thread)
{
    /* Acquires what the thread did before it left, from note_arrival. */
    return atomic_load_explicit(&smp_job->thread[thread].left, memory_order_acquire);
}

void upcr_tp_barrier(enum upcr_arrival arrival, int value, struct upcr_barrier_outcome *outcome)
{
    upcr_tp_notify(arrival, value);
    upcr_tp_wait(outcome);
}

void upcr_tp_broadcast(void *buf, size_t n, struct upcr_barrier_outcome *outcome)
{
    /* Two buffers are used in turn: thread 0 writes to the first again only after a barrier that all threads enter
       after reading it. */
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
    return host_read(&waiting->arrived) != host_read(&smp_job->barrier.epoch.word);
}
