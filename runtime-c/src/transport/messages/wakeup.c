/* Wakeups. A message cannot wake a thread that sleeps, because the wire's receivers poll. If the threads of a machine are
   not a single group, each has a wakeup in memory that all of them share; a process that sends a message to a
   sleeping thread rings its wakeup. A process that has waited some time for an answer rings that of the
   communication thread, because the main thread there is probably computing. */
#include "runtime.h"

#include <stdalign.h>

#include "transport/messages/net.h"

struct wakeup {
    alignas(UPCR_CACHE_LINE) struct upcr_event event;
    struct upcr_event aside; /* of the communication thread */
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

struct upcr_event *net_wakeup_aside(void)
{
    return wakeups != NULL ? &wakeups[upcr_mythread - net.host[upcr_mythread]].aside : NULL;
}

static bool is_in_reach(int thread)
{
    return wakeups != NULL && net.host[thread] == net.host[upcr_mythread];
}

/* There is no fence between the message and the load: a thread that is about to sleep polls for messages after it has
   incremented sleepers, and a wakeup missed by nanoseconds costs one backoff. */
static void ring(struct upcr_event *event)
{
    if (atomic_load_explicit(&event->sleepers, memory_order_relaxed) == 0)
        return;
    /* As upcr_event_wake requires. Data comes by the message, not by this word. */
    atomic_fetch_add_explicit(&event->word, 1, memory_order_seq_cst);
    upcr_event_wake(event);
}

void net_ring(int thread)
{
    if (is_in_reach(thread))
        ring(wakeup_of(thread));
}

/* The word changes even if that thread is awake: it may have polled just before the message came. */
void net_ring_aside(int thread)
{
    if (!is_in_reach(thread))
        return;
    struct upcr_event *aside = &wakeups[thread - net.host[upcr_mythread]].aside;
    atomic_fetch_add_explicit(&aside->word, 1, memory_order_seq_cst);
    upcr_event_wake(aside);
}
