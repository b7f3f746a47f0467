/* The barrier statements: alternation of notify and wait, matching of their expressions (language section, "Barrier
   statements"), and internal barriers, which no statement expresses. */
#include "runtime.h"

#include <unistd.h>

#include "child.h"
#include "checks/checks.h"
#include "races/races.h"
#include "remote/remote.h"
#include "transport/transport.h"

static bool notified;

/* The collective function that was called last. */
static const char *collective = "a collective function";

bool upcr_is_notified(void)
{
    return notified;
}

/* Ends the job if the arrivals of the threads do not match. `here` is what this thread is executing. */
static void check_outcome(const struct upcr_barrier_outcome *outcome, const char *here)
{
    if (upcr_is_checked() && outcome->leavers == 0)
        upcr_checks.agree();
    if (outcome->leavers != 0 && outcome->leavers != upcr_threads)
        upcr_die(CHECK_LEFT, here, outcome->a_leaver, outcome->leaver_status & 0xff);
    if (outcome->dissent)
        upcr_die(CHECK_VALUES_THREADS, here, outcome->value_thread, outcome->value, outcome->other_thread, outcome->other_value);
}

static void begin(int named, int value)
{
    if (upcr_is_checked()) {
        upcr_checks.enter("a barrier statement");
        if (named)
            upcr_checks.value(value);
    }
    notified = true;
    if (upcr_is_racing())
        upcr_races.arrive();
    upcr_fence();
}

static enum upcr_arrival arrival_of(int named)
{
    return named ? UPCR_ARRIVAL_NAMED : UPCR_ARRIVAL_ANONYMOUS;
}

void upcr_notify(int named, int value)
{
    upcr_thread_only("upc_notify");
    if (notified)
        upcr_die(CHECK_NOTIFY);
    begin(named, value);
    upcr_tp_notify(arrival_of(named), value);
}

/* Finishes a barrier. It is inlined because stacks show the names of its callers: as a separate function it would be
   reached by a tail call and replace them. */
static inline __attribute__((__always_inline__)) void finish(int named, int value, const struct upcr_barrier_outcome *outcome, const char *here)
{
    notified = false;
    check_outcome(outcome, here);
    if (named && outcome->named && value != outcome->value)
        upcr_die(CHECK_VALUES_WAIT, here, value, outcome->value_thread, outcome->value);
    if (upcr_is_racing())
        upcr_races.pass();
    upcr_fence();
    upcr_remote_expect();
}

void upcr_wait(int named, int value)
{
    struct upcr_barrier_outcome outcome;
    upcr_thread_only("upc_wait");
    if (!notified)
        upcr_die(CHECK_WAIT);
    upcr_tp_wait(&outcome);
    finish(named, value, &outcome, "upc_wait");
}

void upcr_barrier(int named, int value)
{
    struct upcr_barrier_outcome outcome;
    upcr_thread_only("upc_barrier");
    if (notified)
        upcr_die(CHECK_BARRIER);
    begin(named, value);
    upcr_tp_barrier(arrival_of(named), value, &outcome);
    finish(named, value, &outcome, "upc_barrier");
}

void upcr_collective_enter(const char *function)
{
    upcr_thread_only(function);
    if (notified)
        upcr_die(CHECK_SPLIT, function);
    collective = function;
    if (upcr_is_checked())
        upcr_checks.enter(function);
}

void upcr_partner_left(int thread, uint32_t left)
{
    upcr_die(CHECK_LEFT, collective, thread, (int)left - 1);
}

/* Every thread takes part in this barrier and in a rendezvous, so the transport's ordering is all that is needed: no
   strict access, no fence. */
void upcr_internal_barrier(const char *where)
{
    struct upcr_barrier_outcome outcome;
    upcr_settle();
    upcr_tp_barrier(UPCR_ARRIVAL_ANONYMOUS, 0, &outcome);
    check_outcome(&outcome, where);
    upcr_settle();
}

void upcr_ordering_barrier(const char *where)
{
    if (upcr_is_racing())
        upcr_races.arrive();
    upcr_internal_barrier(where);
    if (upcr_is_racing())
        upcr_races.pass();
}

void upcr_broadcast(void *buf, size_t n, const char *function)
{
    struct upcr_barrier_outcome outcome;
    upcr_tp_broadcast(buf, n, &outcome);
    check_outcome(&outcome, function);
}

/* Work that one thread does for all. */
struct task {
    void (*work)(void *);
    void *argument;
};

/* What the work wrote to memory that is not mapped must have arrived before any other thread continues. */
static void run_task(void *argument)
{
    const struct task *task = argument;
    task->work(task->argument);
    upcr_settle();
}

void upcr_rendezvous(void (*work)(void *), void *argument, const char *function)
{
    struct upcr_barrier_outcome outcome;
    struct task task = {work, argument};
    upcr_settle();
    upcr_tp_rendezvous(run_task, &task, &outcome);
    check_outcome(&outcome, function);
    upcr_settle();
}

void upcr_final_barrier(int status)
{
    struct upcr_barrier_outcome outcome;
    if (notified)
        upcr_die(CHECK_LEFT_NOTIFIED);
    upcr_fence();
    upcr_tp_barrier(UPCR_ARRIVAL_LEAVE, status, &outcome);
    /* A thread that is still in some barrier reports the mismatch; this one must not end before that. */
    while (outcome.leavers != upcr_threads)
        pause();
}
