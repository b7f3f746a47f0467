#include "runtime.h"

#include <sched.h>

#include "seat.h"

/* By index on the machine, first of the threads and then of their helpers: processor + 1; 0: not seen. NULL: there is only
   one thread. */
static _Atomic int16_t *seats;
static int first_thread, count;

size_t upcr_seats_bytes(int threads)
{
    return (size_t)threads * 2 * sizeof *seats;
}

void upcr_seats_take(void *memory, int first, int threads)
{
    seats = memory;
    first_thread = first;
    count = threads;
    (void)upcr_seat_is_shared();
}

/* All threads read this page, so it is written only when the seat changes. */
static void record(int place, int16_t seat)
{
    if (atomic_load_explicit(&seats[place], memory_order_relaxed) != seat)
        atomic_store_explicit(&seats[place], seat, memory_order_relaxed);
}

bool upcr_seat_is_shared(void)
{
    int me = upcr_mythread - first_thread;
    if (seats == NULL)
        return false;
    int16_t here = (int16_t)(sched_getcpu() + 1);
    record(me, here);
    for (int place = 0; place < 2 * count; place++)
        if (place % count != me && atomic_load_explicit(&seats[place], memory_order_relaxed) == here)
            return true;
    return false;
}

void upcr_seat_of_helper(bool works)
{
    if (seats != NULL)
        record(count + upcr_mythread - first_thread, works ? (int16_t)(sched_getcpu() + 1) : 0);
}
