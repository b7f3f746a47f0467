/* Copies for threads that are not mapped: under smp there are none, but the contract is kept for those who call directly. */
#include "runtime.h"

#include <string.h>

#include "transport/transport.h"

void upcr_tp_get(void *dst, upcr_pts_t src, size_t n)
{
    memcpy(dst, upcr_addr(src), n);
}

void upcr_tp_put(upcr_pts_t dst, const void *src, size_t n)
{
    memcpy(upcr_addr(dst), src, n);
}

void upcr_tp_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    memcpy(upcr_addr(dst), upcr_addr(src), n);
}

void upcr_tp_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    memset(upcr_addr(dst), value, n);
}

void upcr_tp_fence(void)
{
    upcr_full_fence();
}
