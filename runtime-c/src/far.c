/* Accesses to memory that is not mapped: the seam between emitted and library code on one side and the transport on the other. */
#include "runtime.h"

#ifdef UPCR_REMOTE

#include "far.h"
#include "transport/transport.h"

int upcr_pending;

void upcr_far_get(void *dst, upcr_pts_t src, upcr_size n)
{
    upcr_tp_get(dst, src, n);
}

void upcr_far_put(upcr_pts_t dst, const void *src, upcr_size n)
{
    upcr_pending = 1;
    upcr_tp_put(dst, src, n);
}

void upcr_far_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    upcr_tp_start_get(dst, src, n, batch);
}

void upcr_far_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    upcr_pending = 1;
    upcr_tp_start_put(dst, src, n, batch);
}

bool upcr_far_test(struct upcr_batch *batch)
{
    return upcr_tp_batch_test(batch);
}

void upcr_far_wait(struct upcr_batch *batch)
{
    upcr_tp_batch_wait(batch);
}

void upcr_far_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    upcr_pending = 1;
    upcr_tp_copy(dst, src, n);
}

void upcr_far_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    upcr_pending = 1;
    upcr_tp_set(dst, value, n);
}

void upcr_far_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    upcr_tp_atomic(cell, op, target, operand1, operand2, fetch);
}

void upcr_far_put_bits(upcr_pts_t dst, const void *src, const void *mask, upcr_size n)
{
    const unsigned char *bits = mask;
    upcr_size low = 0, high = n;
    while (low < n && bits[low] == 0)
        low++;
    while (high > low && bits[high - 1] == 0)
        high--;
    if (low < high)
        upcr_far_put(upcr_field(dst, low), (const char *)src + low, high - low);
}

void upcr_far_get_strict(void *dst, upcr_pts_t src, upcr_size n)
{
    upcr_fence();
    upcr_tp_get(dst, src, n);
}

void upcr_far_put_strict(upcr_pts_t dst, const void *src, upcr_size n)
{
    upcr_fence();
    upcr_tp_put(dst, src, n);
    upcr_tp_fence();
}

void upcr_far_fence(void)
{
    upcr_pending = 0;
    upcr_tp_fence();
}

#endif
