/* Copies for threads that are not mapped. Under smp there are none, but direct callers rely on the contract. */
#include "runtime.h"

#include <string.h>

#include "clock.h"
#include "transport/host/copy.h"
#include "transport/smp/job.h"
#include "update.h"

/* A simulated distance (-pshm-delay): a message takes this long, and a nanosecond more for each byte. A read waits
   for the answer; a write waits for half the time, as on a network where one message must be on its way before the
   next. Without the option these are loads and stores. */
#ifdef UPCR_REMOTE
static uint64_t delay;
#else
enum { delay = 0 };
#endif

void smp_distance_choose(const struct upcr_plan *plan)
{
#ifdef UPCR_REMOTE
    delay = plan->delay;
#else
    (void)plan;
#endif
}

struct upcr_distance upcr_tp_distance(void)
{
    return (struct upcr_distance){.get = (unsigned)delay, .put = (unsigned)delay / 2};
}

void upcr_tp_traffic(struct upcr_traffic *traffic)
{
    *traffic = (struct upcr_traffic){0};
}

/* Returns when a message that is sent at this moment arrives. */
static uint64_t arrival(uint64_t wait, size_t n)
{
    return upcr_clock_system_ns() + wait + n;
}

static void travel(size_t n)
{
    if (delay != 0)
        upcr_wait_until(arrival(delay / 2, n));
}

/* Records that the batch is not complete before a message that is sent at this moment arrives. */
static void under_way(struct upcr_batch *batch, uint64_t wait, size_t n)
{
    uint64_t moment = delay == 0 ? 0 : arrival(wait, n);
    if (moment > batch->moment)
        batch->moment = moment;
}

void upcr_tp_get(void *dst, upcr_pts_t src, size_t n)
{
    host_copy(dst, smp_at(src), n);
    if (delay != 0)
        upcr_wait_until(arrival(delay, n));
}

void upcr_tp_put(upcr_pts_t dst, const void *src, size_t n)
{
    host_copy(smp_at(dst), src, n);
    travel(n);
}

void upcr_tp_update(upcr_pts_t place, enum upcr_update update, const void *value, size_t n)
{
    upcr_update_apply(update, smp_at(place), value, n);
    travel(n);
}

void upcr_tp_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    memcpy(smp_at(dst), smp_at(src), n);
    travel(n);
}

void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    memset(smp_at(dst), value, n);
    travel(sizeof value);
}

void upcr_tp_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    host_copy(dst, smp_at(src), n);
    under_way(batch, delay, n);
}

void upcr_tp_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    host_copy(smp_at(dst), src, n);
    under_way(batch, delay / 2, n);
}

void upcr_tp_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    memcpy(smp_at(dst), smp_at(src), n);
    under_way(batch, delay / 2, n);
}

void upcr_tp_start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch)
{
    memset(smp_at(dst), value, n);
    under_way(batch, delay / 2, sizeof value);
}

void upcr_tp_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch)
{
    size_t n = 0;
    for (const struct upcr_iov *iovec = iov; iovec < iov + count; n += iovec->n, iovec++)
        host_copy(iovec->bytes, smp_segment(thread) + iovec->offset, iovec->n);
    under_way(batch, delay, n);
}

void upcr_tp_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch)
{
    size_t n = 0;
    for (const struct upcr_iov *iovec = iov; iovec < iov + count; n += iovec->n, iovec++)
        host_copy(smp_segment(thread) + iovec->offset, iovec->bytes, iovec->n);
    under_way(batch, delay / 2, n);
}

void upcr_tp_put_iov(int thread, const struct upcr_iov *iov, size_t count)
{
    struct upcr_batch batch = {0};
    upcr_tp_start_put_iov(thread, iov, count, &batch);
    upcr_tp_batch_wait(&batch);
}

bool upcr_tp_batch_test(struct upcr_batch *batch)
{
    if (batch->moment != 0 && upcr_clock_system_ns() < batch->moment)
        return false;
    batch->moment = 0;
    return true;
}

void upcr_tp_batch_wait(struct upcr_batch *batch)
{
    if (batch->moment != 0)
        upcr_wait_until(batch->moment);
    batch->moment = 0;
}

void upcr_tp_look(void)
{
}

bool upcr_tp_may_put(void)
{
    return true;
}

bool upcr_tp_send_collected(void)
{
    return true;
}

void upcr_tp_fence(void)
{
    upcr_full_fence();
}

void upcr_tp_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    upcr_cell_apply(cell, op, smp_at(target), operand1, operand2, fetch);
    travel(2 * upcr_cell_bytes(cell));
}

static struct upcr_mutex *guard_of(const void *place)
{
    return &smp_job->guards[((uintptr_t)place >> 4) % SMP_GUARDS];
}

void upcr_tp_guard(const void *place)
{
    upcr_mutex_lock(guard_of(place));
}

void upcr_tp_unguard(const void *place)
{
    upcr_mutex_unlock(guard_of(place));
}
