/* Wakeups. A message cannot wake a thread that sleeps, because MPI's receivers poll. If the threads of a machine are
   not a single group, each has a wakeup in memory that all of them share; a process that sends a message to a
   sleeping thread rings its wakeup. */
#include "runtime.h"

#include <stdalign.h>

#include "transport/mpi/mpi.h"

struct wakeup {
    alignas(UPCR_CACHE_LINE) struct upcr_event event;
};

static struct wakeup *wakeups; /* by index on the machine; NULL: none */

size_t net_wakeups_bytes(int threads)
{
    return (size_t)threads * sizeof *wakeups;
}

void net_wakeups_map(void *memory)
{
    wakeups = memory;
}

bool net_wakeups_are_all(void)
{
    return wakeups != NULL && net.host[upcr_threads - 1] == net.host[0];
}

static struct upcr_event *wakeup_of(int thread)
{
    return &wakeups[thread - net.host[upcr_mythread]].event;
}

struct upcr_event *net_wakeup(void)
{
    return wakeups != NULL ? wakeup_of(upcr_mythread) : NULL;
}

void net_ring(int thread)
{
    if (wakeups == NULL || net.host[thread] != net.host[upcr_mythread])
        return;
    /* There is no fence between the message and this load: a thread that is about to sleep polls for messages after
       it has incremented sleepers, and a wakeup missed by nanoseconds costs one backoff. */
    struct upcr_event *wakeup = wakeup_of(thread);
    if (atomic_load_explicit(&wakeup->sleepers, memory_order_relaxed) == 0)
        return;
    /* As upcr_event_wake requires. Data comes by the message, not by this word. */
    atomic_fetch_add_explicit(&wakeup->word, 1, memory_order_seq_cst);
    upcr_event_wake(wakeup);
}
