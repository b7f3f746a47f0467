/* Central barrier with a split phase, and the broadcast built on it. */
#include "runtime.h"

#include <string.h>

#include "transport/smp/job.h"

/* Barriers this process has completed: the epoch it is in. */
static uint32_t my_epoch;

/* What this process brought to it. */
static enum upcr_vote my_vote;
static int my_value;

static uint64_t make_vote(int value)
{
    return (uint64_t)(uint32_t)(upcr_mythread + 1) << 32 | (uint32_t)value;
}

static int vote_thread(uint64_t vote)
{
    return (int)(vote >> 32) - 1;
}

static int vote_value(uint64_t vote)
{
    return (int)(uint32_t)vote;
}

static void cast_vote(struct smp_ballot *ballot, enum upcr_vote vote, int value)
{
    uint64_t mine = make_vote(value), first = 0, none = 0;
    switch (vote) {
    case UPCR_VOTE_NONE:
        break;
    case UPCR_VOTE_VALUE:
        if (!atomic_compare_exchange_strong(&ballot->consensus, &first, mine) && vote_value(first) != value)
            atomic_compare_exchange_strong(&ballot->dissent, &none, mine);
        break;
    case UPCR_VOTE_LEAVE:
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
   the barrier can no longer be what either wants: it is over at once, and its verdict says why. A vote to leave is counted before
   its thread, so the last of those to arrive sees more arrivals than votes. */
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
    /* All are here, so all have read the verdict of the epoch before, whose ballot the next one uses. */
    clear_ballot(&barrier->ballots[(my_epoch + 1) & 1]);
    atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
    upcr_event_set(&barrier->epoch, my_epoch + 1);
}

void upcr_tp_notify(enum upcr_vote vote, int value)
{
    my_vote = vote;
    my_value = value;
    if (vote != UPCR_VOTE_NONE)
        cast_vote(&smp_job->barrier.ballots[my_epoch & 1], vote, value);
    if (arrive())
        release();
}

void upcr_tp_rendezvous(void (*work)(void *), void *argument, struct upcr_verdict *verdict)
{
    if (arrive()) {
        work(argument);
        release();
    }
    upcr_tp_wait(verdict);
}

bool upcr_tp_try_wait(void)
{
    return atomic_load_explicit(&smp_job->barrier.epoch.word, memory_order_acquire) != my_epoch;
}

static void wait_for_all(void)
{
    struct host_waiting *waiting = &host_me()->waiting;
    waiting->named = my_vote == UPCR_VOTE_VALUE;
    waiting->value = my_value;
    host_wait_begins(HOST_IN_BARRIER, NULL);
    upcr_wait_while(&smp_job->barrier.epoch, my_epoch);
    host_wait_ends();
}

void upcr_tp_wait(struct upcr_verdict *verdict)
{
    struct smp_ballot *ballot = &smp_job->barrier.ballots[my_epoch & 1];
    if (!upcr_tp_try_wait())
        wait_for_all();
    my_epoch++;
    my_vote = UPCR_VOTE_NONE;
    uint64_t consensus = atomic_load_explicit(&ballot->consensus, memory_order_relaxed);
    uint64_t dissent = atomic_load_explicit(&ballot->dissent, memory_order_relaxed);
    verdict->leavers = (int)atomic_load_explicit(&ballot->leavers, memory_order_relaxed);
    verdict->a_leaver = (int)atomic_load_explicit(&ballot->a_leaver, memory_order_relaxed);
    verdict->leaver_status = smp_job->thread[verdict->a_leaver].exit_status;
    verdict->named = consensus != 0;
    verdict->value = vote_value(consensus);
    verdict->value_thread = vote_thread(consensus);
    verdict->dissent = dissent != 0;
    verdict->other_value = vote_value(dissent);
    verdict->other_thread = vote_thread(dissent);
}

void upcr_tp_barrier(enum upcr_vote vote, int value, struct upcr_verdict *verdict)
{
    upcr_tp_notify(vote, value);
    upcr_tp_wait(verdict);
}

void upcr_tp_broadcast(void *buf, size_t n, struct upcr_verdict *verdict)
{
    /* Two buffers in turn: thread 0 comes back to the first only after a barrier that all enter having read it. */
    static unsigned turn;
    unsigned char *shared = smp_job->broadcast[turn++ & 1];
    if (upcr_mythread == 0)
        memcpy(shared, buf, n);
    upcr_tp_notify(UPCR_VOTE_NONE, 0);
    upcr_tp_wait(verdict);
    memcpy(buf, shared, n);
}

bool host_has_arrived(const struct host_waiting *waiting)
{
    return atomic_load(&waiting->arrived) != atomic_load(&smp_job->barrier.epoch.word);
}
