/* Shared string handling functions (library section). All accesses are relaxed. */
#include "runtime.h"

#include <string.h>

#include "checks/checks.h"
#include "races/races.h"
#include "remote/remote.h"

#pragma GCC visibility push(default)
void upc_memcpy(upcr_pts_t dst, upcr_pts_t src, size_t n);
void upc_memget(void *dst, upcr_pts_t src, size_t n);
void upc_memput(upcr_pts_t dst, const void *src, size_t n);
void upc_memset(upcr_pts_t dst, int c, size_t n);
#pragma GCC visibility pop

void upcr_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    if (upcr_mapped(upcr_threadof(dst)) && upcr_mapped(upcr_threadof(src)))
        memcpy(upcr_addr(dst), upcr_addr(src), n);
    else
        upcr_remote_copy(dst, src, n);
}

void upcr_get(void *dst, upcr_pts_t src, size_t n)
{
    if (upcr_mapped(upcr_threadof(src)))
        memcpy(dst, upcr_addr(src), n);
    else
        upcr_remote_get(dst, src, n);
}

void upcr_put(upcr_pts_t dst, const void *src, size_t n)
{
    if (upcr_mapped(upcr_threadof(dst)))
        memcpy(upcr_addr(dst), src, n);
    else
        upcr_remote_put(dst, src, n);
}

void upcr_set(upcr_pts_t dst, int c, size_t n)
{
    if (upcr_mapped(upcr_threadof(dst)))
        memset(upcr_addr(dst), c, n);
    else
        upcr_remote_set(dst, (unsigned char)c, n);
}

void upcr_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    if (upcr_mapped(upcr_threadof(src)))
        memcpy(dst, upcr_addr(src), n);
    else
        upcr_remote_start_get(dst, src, n, batch);
}

void upcr_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    if (upcr_mapped(upcr_threadof(dst)))
        memcpy(upcr_addr(dst), src, n);
    else
        upcr_remote_start_put(dst, src, n, batch);
}

void upcr_start_set(upcr_pts_t dst, int c, size_t n, struct upcr_batch *batch)
{
    if (upcr_mapped(upcr_threadof(dst)))
        memset(upcr_addr(dst), c, n);
    else
        upcr_remote_start_set(dst, (unsigned char)c, n, batch);
}

void upcr_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    if (upcr_mapped(upcr_threadof(dst)))
        upcr_start_get(upcr_addr(dst), src, n, batch);
    else if (upcr_mapped(upcr_threadof(src)))
        upcr_start_put(dst, upcr_addr(src), n, batch);
    else
        upcr_remote_start_copy(dst, src, n, batch);
}

bool upcr_is_finished(struct upcr_batch *batch)
{
    return upcr_all_mapped() || upcr_remote_test(batch);
}

void upcr_finish(struct upcr_batch *batch)
{
    if (!upcr_all_mapped())
        upcr_remote_wait(batch);
}

void upc_memcpy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    if (upcr_is_checked())
        upcr_checks.copy(dst, src, n);
    if (upcr_is_racing()) {
        upcr_races.touch(src, n, UPCR_TOUCH_READ, "upc_memcpy", __builtin_return_address(0));
        upcr_races.touch(dst, n, UPCR_TOUCH_WRITE, "upc_memcpy", __builtin_return_address(0));
    }
    upcr_copy(dst, src, n);
}

void upc_memget(void *dst, upcr_pts_t src, size_t n)
{
    if (upcr_is_checked())
        upcr_checks.transfer(src, n, "upc_memget reads");
    if (upcr_is_racing())
        upcr_races.touch(src, n, UPCR_TOUCH_READ, "upc_memget", __builtin_return_address(0));
    upcr_get(dst, src, n);
}

void upc_memput(upcr_pts_t dst, const void *src, size_t n)
{
    if (upcr_is_checked())
        upcr_checks.transfer(dst, n, "upc_memput writes");
    if (upcr_is_racing())
        upcr_races.touch(dst, n, UPCR_TOUCH_WRITE, "upc_memput", __builtin_return_address(0));
    upcr_put(dst, src, n);
}

void upc_memset(upcr_pts_t dst, int c, size_t n)
{
    if (upcr_is_checked())
        upcr_checks.transfer(dst, n, "upc_memset writes");
    if (upcr_is_racing())
        upcr_races.touch(dst, n, UPCR_TOUCH_WRITE, "upc_memset", __builtin_return_address(0));
    upcr_set(dst, c, n);
}
