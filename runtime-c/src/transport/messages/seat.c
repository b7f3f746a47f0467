/* Seats: the processors on which the threads of this machine were last seen. A thread that waits on a processor
   where another thread was seen yields at once, because what it waits for may need this very processor: threads that
   are not bound often come to share a processor though others are free. */
#include "runtime.h"

#include <sched.h>

#include "transport/messages/net.h"

static _Atomic int16_t *seats; /* by index on the machine: processor + 1; 0: not seen. NULL: there is only one thread */
static int count;

size_t net_seats_bytes(int threads)
{
    return (size_t)threads * sizeof *seats;
}

void net_seats_take(void *memory, int threads)
{
    seats = memory;
    count = threads;
}

bool net_seat_is_shared(void)
{
    int me = upcr_mythread - net.host[upcr_mythread];
    if (seats == NULL)
        return false;
    int16_t here = (int16_t)(sched_getcpu() + 1);
    /* All threads read this page, so it is written only when the seat changes. */
    if (atomic_load_explicit(&seats[me], memory_order_relaxed) != here)
        atomic_store_explicit(&seats[me], here, memory_order_relaxed);
    for (int t = 0; t < count; t++)
        if (t != me && atomic_load_explicit(&seats[t], memory_order_relaxed) == here)
            return true;
    return false;
}
