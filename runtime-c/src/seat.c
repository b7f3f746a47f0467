#include "runtime.h"

#include <sched.h>

#include "seat.h"

static _Atomic int16_t *seats; /* by index on the machine: processor + 1; 0: not seen. NULL: there is only one thread */
static int first_thread, count;

size_t upcr_seats_bytes(int threads)
{
    return (size_t)threads * sizeof *seats;
}

void upcr_seats_take(void *memory, int first, int threads)
{
    seats = memory;
    first_thread = first;
    count = threads;
    (void)upcr_seat_is_shared();
}

bool upcr_seat_is_shared(void)
{
    int me = upcr_mythread - first_thread;
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
