/* The IN and OUT synchronization flags, and which thread does the work between them. */
#include "collective/collective.h"

#include "wait.h"

/* The bytes that a thread may touch alone, for each thread that would otherwise take part, before sharing the work
   pays for a second meeting of all threads: if each has a processor, and if they outnumber processors, so that a
   meeting has to switch between all of them; and the bytes that a separate run of memory counts for. Measured, not
   critical. */
enum { ALONE_BYTES = 1536, ALONE_BYTES_CROWDED = 32768, BYTES_PER_IOV = 32 };

/* Nothing needs to be cleared between calls: each call uses the slot in its own way, with a rendezvous between write
   and read. */
UPCR_SHARED_DEFINE_LOCAL(upcr_collective_slots, 64, 64);
UPCR_SHARED_EXTERN(upcr_collective_slots);

/* In memory, because the code of this library does not reach an object behind 2 GB of the program's (-mcmodel=medium). */
static const char *const volatile slots = (const char *)&UPCR_SYMBOL(upcr_collective_slots);

upcr_pts_t upcr_call_slot(int thread)
{
    return upcr_make((size_t)thread, 0, upcr_addrfield(upcr_static_place(slots)));
}

/* The strongest of contradictory flags, by their bits, in the order of upc_types.h; ALLSYNC if there is no flag of the kind. */
static const unsigned char strongest[] = {
    UPCR_ALLSYNC, UPCR_ALLSYNC, UPCR_MYSYNC, UPCR_ALLSYNC, UPCR_NOSYNC, UPCR_ALLSYNC, UPCR_MYSYNC, UPCR_ALLSYNC,
};
_Static_assert(UPC_IN_ALLSYNC == 1 && UPC_IN_MYSYNC == 2 && UPC_IN_NOSYNC == 4, "bits of strongest");
_Static_assert(UPC_OUT_ALLSYNC == 1 << 3 && UPC_OUT_MYSYNC == 2 << 3 && UPC_OUT_NOSYNC == 4 << 3, "bits of strongest");

struct upcr_call upcr_call_begin(const char *function, upc_flag_t flags)
{
    upcr_collective_enter(function);
    return (struct upcr_call){function, (enum upcr_sync)strongest[flags & 7], (enum upcr_sync)strongest[flags >> 3 & 7], 0};
}

bool upcr_call_is_small(size_t bytes, size_t runs)
{
    /* One meeting for both ends of the call is more synchronization than its flags promise. */
    if (upcr_is_racing())
        return upcr_threads == 1;
    size_t each = upcr_wait_is_crowded() ? ALONE_BYTES_CROWDED : ALONE_BYTES;
    if (upcr_threads == 1)
        return true;
    return bytes + runs * BYTES_PER_IOV <= (size_t)upcr_threads * each && upcr_all_mapped();
}

void upcr_call_alone(const struct upcr_call *call, int thread, void (*work)(void *), void *argument)
{
    if (call->in != UPCR_NOSYNC || call->out != UPCR_NOSYNC)
        upcr_rendezvous(work, argument, call->function);
    else if (upcr_mythread == thread)
        work(argument);
}

/* Returns whether a barrier is needed. MYSYNC waits for all threads, too, unless each deals only with its own data:
   a barrier is what the transports do best. */
static bool needs_barrier(enum upcr_sync sync, bool own)
{
    switch (sync) {
    case UPCR_NOSYNC:
        return false;
    case UPCR_MYSYNC:
        return !own;
    case UPCR_ALLSYNC:
        return true;
    }
    __builtin_unreachable();
}

static void synchronize(enum upcr_sync sync, bool own, const char *function)
{
    if (sync == UPCR_ALLSYNC)
        upcr_ordering_barrier(function);
    else if (needs_barrier(sync, own))
        upcr_internal_barrier(function);
}

void upcr_call_enter(const struct upcr_call *call, bool own)
{
    synchronize(call->in, own, call->function);
}

void upcr_call_leave(const struct upcr_call *call, bool own)
{
    if (upcr_is_racing() && call->out == UPCR_NOSYNC)
        upcr_races.finished_at_barrier(call->agent);
    else if (upcr_is_racing())
        upcr_races.finished(call->agent);
    synchronize(call->out, own, call->function);
}

void upcr_call_touch(struct upcr_call *call, upcr_pts_t place, size_t n, enum upcr_touch how)
{
    if (!upcr_is_racing() || upcr_threadof(place) != (size_t)upcr_mythread)
        return;
    enum upcr_since since = call->in == UPCR_NOSYNC ? UPCR_SINCE_BARRIER : UPCR_SINCE_NOW;
    call->agent = upcr_races.touch_later(call->agent, place, n, how, since, call->function, NULL);
}
