/* The barrier statements: alternation of notify and wait, matching of their expressions (language section, "Barrier
   statements"), and the barriers that no statement expresses. */
#include "runtime.h"

#include <unistd.h>

#include "child.h"
#include "checks/checks.h"
#include "transport/transport.h"

static bool notified;

bool upcr_is_notified(void)
{
    return notified;
}

/* Ends the job if the threads brought different things. `here` says what this thread is executing. */
static void check_verdict(const struct upcr_verdict *verdict, const char *here)
{
    if (upcr_is_checked() && verdict->leavers == 0)
        upcr_checks.agree();
    if (verdict->leavers != 0 && verdict->leavers != upcr_threads)
        upcr_die(CHECK_LEFT, here, verdict->a_leaver, verdict->leaver_status & 0xff);
    if (verdict->dissent)
        upcr_die(CHECK_VALUES_THREADS, here, verdict->value_thread, verdict->value, verdict->other_thread, verdict->other_value);
}

static void begin(int named, int value)
{
    if (upcr_is_checked()) {
        upcr_checks.enter("a barrier statement");
        if (named)
            upcr_checks.value(value);
    }
    notified = true;
    upcr_fence();
}

static enum upcr_vote vote_of(int named)
{
    return named ? UPCR_VOTE_VALUE : UPCR_VOTE_NONE;
}

void upcr_notify(int named, int value)
{
    upcr_thread_only("upc_notify");
    if (notified)
        upcr_die(CHECK_NOTIFY);
    begin(named, value);
    upcr_tp_notify(vote_of(named), value);
}

/* Part of its callers, whose names a stack shows: as a function of its own it would be jumped to and take their place. */
static inline __attribute__((__always_inline__)) void finish(int named, int value, const struct upcr_verdict *verdict, const char *here)
{
    notified = false;
    check_verdict(verdict, here);
    if (named && verdict->named && value != verdict->value)
        upcr_die(CHECK_VALUES_WAIT, here, value, verdict->value_thread, verdict->value);
    upcr_fence();
}

void upcr_wait(int named, int value)
{
    struct upcr_verdict verdict;
    upcr_thread_only("upc_wait");
    if (!notified)
        upcr_die(CHECK_WAIT);
    upcr_tp_wait(&verdict);
    finish(named, value, &verdict, "upc_wait");
}

void upcr_barrier(int named, int value)
{
    struct upcr_verdict verdict;
    upcr_thread_only("upc_barrier");
    if (notified)
        upcr_die(CHECK_BARRIER);
    begin(named, value);
    upcr_tp_barrier(vote_of(named), value, &verdict);
    finish(named, value, &verdict, "upc_barrier");
}

void upcr_collective_enter(const char *function)
{
    upcr_thread_only(function);
    if (notified)
        upcr_die(CHECK_SPLIT, function);
    if (upcr_is_checked())
        upcr_checks.enter(function);
}

/* Here and in a rendezvous every thread takes part, so what the transport orders is all there is to order: no strict access, no fence. */
void upcr_internal_barrier(const char *where)
{
    struct upcr_verdict verdict;
    upcr_settle();
    upcr_tp_barrier(UPCR_VOTE_NONE, 0, &verdict);
    check_verdict(&verdict, where);
    upcr_settle();
}

void upcr_broadcast(void *buf, size_t n, const char *function)
{
    struct upcr_verdict verdict;
    upcr_tp_broadcast(buf, n, &verdict);
    check_verdict(&verdict, function);
}

/* Work for all threads at once. */
struct errand {
    void (*work)(void *);
    void *argument;
};

/* What the work wrote to memory that is not mapped must be there before any other thread goes on. */
static void run_errand(void *argument)
{
    const struct errand *errand = argument;
    errand->work(errand->argument);
    upcr_settle();
}

void upcr_rendezvous(void (*work)(void *), void *argument, const char *function)
{
    struct upcr_verdict verdict;
    struct errand errand = {work, argument};
    upcr_settle();
    upcr_tp_rendezvous(run_errand, &errand, &verdict);
    check_verdict(&verdict, function);
    upcr_settle();
}

void upcr_final_barrier(int status)
{
    struct upcr_verdict verdict;
    if (notified)
        upcr_die(CHECK_LEFT_NOTIFIED);
    upcr_fence();
    upcr_tp_barrier(UPCR_VOTE_LEAVE, status, &verdict);
    /* A thread that is still in some barrier reports the disagreement; this one must not end before it did. */
    while (verdict.leavers != upcr_threads)
        pause();
}
