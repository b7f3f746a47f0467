/* Accesses to memory that is not mapped. This is the interface between emitted and library code on one side and the
   cache and the transport on the other. Reads and writes of a few bytes, upcr_remote_read and upcr_remote_put, are
   in cache/events.c. */
#include "runtime.h"

#include <pthread.h>

#include "cache/lines.h"
#include "remote/remote.h"
#include "transport/transport.h"

upcr_size upcr_mapped_first, upcr_mapped_count;
int upcr_pending, upcr_gathering;
_Thread_local char upcr_strip_buffers[UPCR_STRIPS][UPCR_STRIP_BYTES] __attribute__((aligned(64)));

void upcr_remote_prepare(void)
{
    upcr_cache_prepare();
}

/* A process that the user forks from a thread leaves it to the thread to send what the thread has collected. */
static void forget_in_child(void)
{
    upcr_pending = 0;
}

void upcr_remote_start(void)
{
    if (pthread_atfork(NULL, NULL, forget_in_child) != 0)
        upcr_die("out of memory");
    upcr_cache_start();
    upcr_gathering = !upcr_cache_is_on && !upcr_all_mapped();
    upcr_collect_start();
}

void upcr_remote_stop(void)
{
    upcr_collect_stop();
    upcr_cache_report();
}

bool upcr_remote_may_count(bool is_write)
{
    return is_write || upcr_cache_is_on;
}

void upcr_remote_get(void *dst, upcr_pts_t src, upcr_size n)
{
    if (n == 0)
        return;
    const void *at = upcr_remote_read(upcr_recent, dst, src, n);
    if (at != dst)
        memcpy(dst, at, n);
}

/* Prepares the cache for an access to n bytes that bypasses it. If n is 0, no function in this file inspects the
   place, which may be null. */
static void release(upcr_pts_t place, size_t n)
{
    if (upcr_cache_is_on)
        upcr_cache_release(place, n);
}

void upcr_remote_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    if (n == 0)
        return;
    release(src, n);
    upcr_cache.counts.gets++;
    upcr_tp_start_get(dst, src, n, batch);
}

/* Enclose the start of a put, a set or a copy. */
static void begin_put(upcr_pts_t dst, size_t n)
{
    upcr_pending = 1;
    release(dst, n);
    upcr_cache.counts.puts++;
}

static void put_is_started(upcr_pts_t dst, size_t n, const struct upcr_batch *batch)
{
    if (upcr_cache_is_on && atomic_load_explicit(&batch->left, memory_order_relaxed) != 0)
        upcr_cache_track_put(dst, n, batch);
}

void upcr_remote_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch)
{
    if (n == 0)
        return;
    begin_put(dst, n);
    upcr_tp_start_put(dst, src, n, batch);
    put_is_started(dst, n, batch);
}

void upcr_remote_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch)
{
    if (n == 0)
        return;
    release(src, n);
    begin_put(dst, n);
    upcr_tp_start_copy(dst, src, n, batch);
    put_is_started(dst, n, batch);
}

void upcr_remote_start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch)
{
    if (n == 0)
        return;
    begin_put(dst, n);
    upcr_tp_start_set(dst, value, n, batch);
    put_is_started(dst, n, batch);
}

static void release_iov(int thread, const struct upcr_iov *iov, size_t count)
{
    for (size_t i = 0; upcr_cache_is_on && i < count; i++)
        upcr_cache_release(upcr_make((size_t)thread, 0, iov[i].offset), iov[i].n);
}

void upcr_remote_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch)
{
    release_iov(thread, iov, count);
    upcr_cache.counts.gets++;
    upcr_tp_start_get_iov(thread, iov, count, batch);
}

/* Tracks the puts of an unordered batch as one, of the bytes from the first place to the last. */
static void track_iov(int thread, const struct upcr_iov *iov, size_t count, const struct upcr_batch *batch)
{
    uint64_t from = UINT64_MAX, to = 0;
    for (size_t i = 0; i < count; i++) {
        from = iov[i].offset < from ? iov[i].offset : from;
        to = iov[i].offset + iov[i].n > to ? iov[i].offset + iov[i].n : to;
    }
    upcr_cache_track_put(upcr_make((size_t)thread, 0, from), to - from, batch);
}

/* There are too many to track one by one: with the cache on, ordered ones are complete before it reads again. */
void upcr_remote_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch)
{
    upcr_pending = 1;
    release_iov(thread, iov, count);
    upcr_cache.counts.puts++;
    upcr_tp_start_put_iov(thread, iov, count, batch);
    if (!upcr_cache_is_on)
        return;
    if (batch->unordered)
        track_iov(thread, iov, count, batch);
    else
        upcr_tp_batch_wait(batch);
}

bool upcr_remote_test(struct upcr_batch *batch)
{
    if (!upcr_tp_batch_test(batch))
        return false;
    if (upcr_cache_is_on)
        upcr_cache_puts_done(batch);
    return true;
}

void upcr_remote_wait(struct upcr_batch *batch)
{
    upcr_tp_batch_wait(batch);
    if (upcr_cache_is_on)
        upcr_cache_puts_done(batch);
}

void upcr_remote_copy(upcr_pts_t dst, upcr_pts_t src, size_t n)
{
    if (n == 0)
        return;
    if (upcr_mapped(upcr_threadof(src))) {
        upcr_remote_put(dst, upcr_addr(src), n);
    } else if (upcr_mapped(upcr_threadof(dst))) {
        upcr_remote_get(upcr_addr(dst), src, n);
    } else {
        upcr_pending = 1;
        release(src, n);
        release(dst, n);
        upcr_cache.counts.puts++;
        upcr_tp_copy(dst, src, n);
    }
}

void upcr_remote_set(upcr_pts_t dst, unsigned char value, size_t n)
{
    if (n == 0)
        return;
    upcr_pending = 1;
    release(dst, n);
    upcr_cache.counts.puts++;
    upcr_tp_set(dst, value, n);
}

void upcr_remote_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch)
{
    release(target, upcr_cell_bytes(cell));
    upcr_cache.counts.gets++;
    upcr_tp_atomic(cell, op, target, operand1, operand2, fetch);
}

void upcr_remote_put_bits(upcr_pts_t dst, const void *src, const void *mask, upcr_size n)
{
    const unsigned char *bits = mask;
    upcr_size low = 0, high = n;
    while (low < n && bits[low] == 0)
        low++;
    while (high > low && bits[high - 1] == 0)
        high--;
    if (low < high)
        upcr_remote_put(upcr_field(dst, low), (const char *)src + low, high - low);
}

void upcr_remote_get_strict(void *dst, upcr_pts_t src, upcr_size n)
{
    upcr_fence();
    upcr_cache.counts.gets++;
    upcr_tp_get(dst, src, n);
}

void upcr_remote_put_strict(upcr_pts_t dst, const void *src, upcr_size n)
{
    upcr_fence();
    upcr_cache.counts.puts++;
    upcr_tp_put(dst, src, n);
    upcr_tp_fence();
}

void upcr_remote_expect(void)
{
    if (upcr_cache_is_on)
        upcr_cache_expect();
}

void upcr_remote_forget_recent(void)
{
    upcr_cache_forget_recent();
}

void upcr_remote_fence(void)
{
    upcr_pending = 0;
    if (upcr_cache_is_on)
        upcr_cache_flush();
    upcr_tp_fence();
}
