/* bupc_sem_... of <bupc_extensions.h>. */
#include "runtime.h"

#include "child.h"
#include "gasp/hooks.h"
#include "races/races.h"
#include "transport/transport.h"

enum { BOOLEAN = 1, INTEGER = 2, SPRODUCER = 4, MPRODUCER = 8, SCONSUMER = 16, MCONSUMER = 32, ALL = 63 };

upcr_pts_t upc_alloc(size_t nbytes);
void upc_free(upcr_pts_t ptr);
void upc_memput(upcr_pts_t dst, const void *src, size_t n);
struct upcr_transfer *upc_memput_nb(upcr_pts_t dst, const void *src, size_t n);
void upc_sync(struct upcr_transfer *handle);

#pragma GCC visibility push(default)
upcr_pts_t bupc_sem_alloc(int flags);
void bupc_sem_free(upcr_pts_t s);
void bupc_sem_post(upcr_pts_t s);
void bupc_sem_postN(upcr_pts_t s, size_t n);
void bupc_sem_wait(upcr_pts_t s);
void bupc_sem_waitN(upcr_pts_t s, size_t n);
int bupc_sem_try(upcr_pts_t s);
int bupc_sem_tryN(upcr_pts_t s, size_t n);
void bupc_memput_signal(upcr_pts_t dst, const void *src, size_t nbytes, upcr_pts_t s, size_t n);
void bupc_memput_signal_async(upcr_pts_t dst, const void *src, size_t nbytes, upcr_pts_t s, size_t n);
#pragma GCC visibility pop

static bool both(int flags, int one, int other)
{
    return (flags & one) != 0 && (flags & other) != 0;
}

upcr_pts_t bupc_sem_alloc(int flags)
{
    if ((flags & ~ALL) != 0 || both(flags, BOOLEAN, INTEGER) || both(flags, SPRODUCER, MPRODUCER) || both(flags, SCONSUMER, MCONSUMER))
        upcr_die("bupc_sem_alloc: the flags 0x%x are unknown or exclude each other", (unsigned)flags);
    upcr_pts_t place = upc_alloc(UPCR_SEM_BYTES);
    if (!upcr_is_null(place))
        upcr_tp_sem_init(place, (flags & BOOLEAN) != 0);
    return place;
}

void bupc_sem_free(upcr_pts_t s)
{
    upcr_thread_only("bupc_sem_free");
    if (!upcr_is_null(s))
        upcr_tp_sem_destroy(s);
    upc_free(s);
}

static uint32_t count_of(size_t n, const char *function)
{
    upcr_thread_only(function);
    if (n > UPCR_SEM_MAX)
        upcr_die("%s: %zu is more than a semaphore can count (%d)", function, n, UPCR_SEM_MAX);
    return (uint32_t)n;
}

static void post(upcr_pts_t s, uint32_t n)
{
    if (upcr_is_racing())
        upcr_races.release(s);
    upcr_fence();
    upcr_tp_sem_post(s, n);
}

static void wait(upcr_pts_t s, uint32_t n)
{
    upcr_tp_sem_wait(s, n);
    if (upcr_is_racing())
        upcr_races.acquire(s);
    upcr_fence();
}

void bupc_sem_post(upcr_pts_t s)
{
    post(s, count_of(1, "bupc_sem_post"));
}

void bupc_sem_postN(upcr_pts_t s, size_t n)
{
    post(s, count_of(n, "bupc_sem_postN"));
}

void bupc_sem_wait(upcr_pts_t s)
{
    wait(s, count_of(1, "bupc_sem_wait"));
}

void bupc_sem_waitN(upcr_pts_t s, size_t n)
{
    wait(s, count_of(n, "bupc_sem_waitN"));
}

/* After an attempt: what the posting thread did before is visible from here on. */
static int taken(upcr_pts_t s, bool success)
{
    if (upcr_is_racing() && success)
        upcr_races.acquire(s);
    upcr_fence();
    return success;
}

int bupc_sem_try(upcr_pts_t s)
{
    return taken(s, upcr_tp_sem_try(s, count_of(1, "bupc_sem_try")));
}

int bupc_sem_tryN(upcr_pts_t s, size_t n)
{
    return taken(s, upcr_tp_sem_try(s, count_of(n, "bupc_sem_tryN")));
}

/* The post of a signalling put: in instrumented programs an event within that of the put. */
static void signal_post(upcr_pts_t s, size_t n, const char *function)
{
    const uint32_t count = count_of(n, function);
    const bool reported = upcr_has_events() && upcr_events.wants(UPCR_EVENT_UPCC_SEM_POST);
    if (reported)
        upcr_events.began(UPCR_EVENT_UPCC_SEM_POST, &s, n);
    post(s, count);
    if (reported)
        upcr_events.ended(UPCR_EVENT_UPCC_SEM_POST, &s, n);
}

void bupc_memput_signal(upcr_pts_t dst, const void *src, size_t nbytes, upcr_pts_t s, size_t n)
{
    upc_memput(dst, src, nbytes);
    signal_post(s, n, "bupc_memput_signal");
}

/* The signal must come after the data, so the transfer is complete on return. */
void bupc_memput_signal_async(upcr_pts_t dst, const void *src, size_t nbytes, upcr_pts_t s, size_t n)
{
    upc_sync(upc_memput_nb(dst, src, nbytes));
    signal_post(s, n, "bupc_memput_signal_async");
}
