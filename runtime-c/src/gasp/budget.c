/* Counts the accesses of many iterations at once, also if they go to several threads.

   Accesses step through an array in rounds. Each round visits the threads in the same order: the step is one element, in blocks, or a number
   of whole blocks. For any other step the order of the threads is not computed, and its accesses are reported or counted one by one. */
#include "gasp/gasp_runtime.h"

#include <stdint.h>

/* The order in which a loop visits the threads. */
struct round {
    upcr_size visits; /* in a round that begins with the first access to a thread */
    upcr_size run;    /* accesses one after another to one thread */
    upcr_size jump;   /* from one thread to the next */
    upcr_size head;   /* remaining accesses of the first run at the start */
    upcr_size thread; /* of the start */
};

static upcr_size greatest_common_divisor(upcr_size a, upcr_size b)
{
    while (b != 0) {
        upcr_size rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool find_round(struct round *round, const struct upcr_inst_walk *walk)
{
    upcr_size threads = (upcr_size)upcr_threads, thread = upcr_threadof(walk->first);
    if (walk->step == 1) {
        *round = (struct round){threads, walk->block, 1, walk->block - upcr_phaseof(walk->first), thread};
        return true;
    }
    upcr_size jump = walk->step / walk->block % threads;
    *round = (struct round){threads / greatest_common_divisor(jump, threads), 1, jump, 1, thread};
    return walk->step % walk->block == 0;
}

static upcr_size next_thread(const struct round *round, upcr_size thread)
{
    upcr_size next = thread + round->jump;
    return next < (upcr_size)upcr_threads ? next : next - (upcr_size)upcr_threads;
}

static upcr_size least(upcr_size a, upcr_size b)
{
    return a < b ? a : b;
}

/* Accesses to the thread's own elements may raise no event. */
static bool raises_nothing(const struct upcr_inst_walk *walk, upcr_size thread)
{
    return !walk->local && thread == (upcr_size)upcr_mythread;
}

static upcr_size left_of(const struct upcr_inst_walk *walk, upcr_size thread)
{
    if (raises_nothing(walk, thread))
        return SIZE_MAX;
    if (!upcr_mapped(thread))
        return 0;
    const struct upcr_skip_counts *counts = upcr_inst_counts(walk->site, thread);
    return counts != NULL ? upcr_inst_left(counts, walk->ways, SIZE_MAX) : 0;
}

long upcr_inst_budget_of_many(const struct upcr_inst_walk *walk, long n)
{
    struct round round;
    if (!find_round(&round, walk))
        return 0;
    upcr_size wanted = (upcr_size)n, capacity = 0, rounds = wanted, thread = round.thread;
    for (upcr_size visit = 0; visit < round.visits && capacity < wanted; visit++, thread = next_thread(&round, thread)) {
        upcr_size run = visit == 0 ? round.head : round.run, left = left_of(walk, thread);
        if (left < run)
            return (long)least(capacity + left, wanted);
        capacity += run;
        rounds = least(rounds, (left - run) / round.run);
    }
    /* All later runs are whole, however short the first one was. */
    return (long)least(capacity + rounds * round.visits * round.run, wanted);
}

static void take(const struct upcr_inst_walk *walk, upcr_size thread, upcr_size n)
{
    struct upcr_skip_counts *counts = upcr_inst_counts(walk->site, thread);
    if (counts != NULL && !raises_nothing(walk, thread))
        upcr_inst_consume_from(counts, walk->ways, n);
}

void upcr_inst_consume_of_many(const struct upcr_inst_walk *walk, long n)
{
    struct round round;
    if (!find_round(&round, walk))
        return;
    upcr_size in_round = round.visits * round.run, rounds = (upcr_size)n / in_round, rest = (upcr_size)n % in_round, thread = round.thread;
    for (upcr_size visit = 0; visit < round.visits && (rest > 0 || rounds > 0); visit++, thread = next_thread(&round, thread)) {
        upcr_size run = least(visit == 0 ? round.head : round.run, rest);
        take(walk, thread, rounds * round.run + run);
        rest -= run;
    }
    /* The rest of the first run, at the round's end. */
    if (rest > 0)
        take(walk, round.thread, rest);
}
