/* Bells: what a message cannot do is wake a thread that sleeps, for MPI's receivers look. Where threads of a machine are no group, each has a bell in memory
   that all of them share; who sends it a message while it sleeps rings it. */
#include "runtime.h"

#include <stdalign.h>

#include "transport/mpi/mpi.h"

struct wakeup {
    alignas(UPCR_CACHE_LINE) struct upcr_event event;
};

static struct wakeup *bells; /* by place on the machine; NULL: none */

size_t net_wakeups_bytes(int threads)
{
    return (size_t)threads * sizeof *bells;
}

void net_wakeups_map(void *memory)
{
    bells = memory;
}

bool net_wakeups_are_all(void)
{
    return bells != NULL && net.host[upcr_threads - 1] == net.host[0];
}

static struct upcr_event *wakeup_of(int thread)
{
    return &bells[thread - net.host[upcr_mythread]].event;
}

struct upcr_event *net_wakeup(void)
{
    return bells != NULL ? wakeup_of(upcr_mythread) : NULL;
}

void net_ring(int thread)
{
    if (bells == NULL || net.host[thread] != net.host[upcr_mythread])
        return;
    /* No fence between message and look: who sleeps looks for messages after it has said so, and a ring missed by nanoseconds costs one rest. */
    struct upcr_event *wakeup = wakeup_of(thread);
    if (atomic_load_explicit(&wakeup->sleepers, memory_order_relaxed) == 0)
        return;
    atomic_fetch_add(&wakeup->word, 1);
    upcr_event_wake(wakeup);
}
