/* Copies for threads that are not mapped: under smp there are none, but the contract is kept for those who call directly. */
#include "runtime.h"

#include <string.h>

#include "transport/smp/job.h"

void upcr_tp_get(void *dst, upcr_pts_t src, size_t n)
{
    memcpy(dst, smp_at(src), n);
}

void upcr_tp_put(upcr_pts_t dst, const void *src, size_t n)
{
    memcpy(smp_at(dst), src, n);
}

void upcr_tp_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    memcpy(smp_at(dst), smp_at(src), n);
}

void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    memset(smp_at(dst), value, n);
}

void upcr_tp_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    (void)batch;
    upcr_tp_get(dst, src, n);
}

void upcr_tp_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    (void)batch;
    upcr_tp_put(dst, src, n);
}

bool upcr_tp_batch_test(struct upcr_batch *batch)
{
    (void)batch;
    return true;
}

void upcr_tp_batch_wait(struct upcr_batch *batch)
{
    (void)batch;
}

void upcr_tp_fence(void)
{
    upcr_full_fence();
}

void upcr_tp_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    upcr_cell_apply(cell, op, smp_at(target), operand1, operand2, fetch);
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
