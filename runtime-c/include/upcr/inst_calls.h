/* Library calls in instrumented units: upcr_inst_NAME calls NAME between the start and the end of its event. Inline, so that
   the library function still sees the user's own line as its caller.

   The functions are called by names of our own, upcr_call_NAME: the user's text, which comes later, declares them as it
   likes. Made from the table in src/events/calls.rs: UPDATE=1 cargo test --test events_table. */
#ifndef UPCR_INST_CALLS_H
#define UPCR_INST_CALLS_H

#include "upcr/inst_support.h"

extern void *upcr_call_realloc(void *p, upcr_size n) __asm__("realloc");
UPCR_INLINE void *upcr_inst_realloc(upcr_site *site, void *p, upcr_size n)
{
    void *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_REALLOC, p, n);
    result = upcr_call_realloc(p, n);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_REALLOC, p, n, result);
    return result;
}

extern void *upcr_call_reallocarray(void *p, upcr_size count, upcr_size size) __asm__("reallocarray");
UPCR_INLINE void *upcr_inst_reallocarray(upcr_site *site, void *p, upcr_size count, upcr_size size)
{
    void *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_REALLOC, p, count * size);
    result = upcr_call_reallocarray(p, count, size);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_REALLOC, p, count * size, result);
    return result;
}

extern void *upcr_call_aligned_alloc(upcr_size alignment, upcr_size n) __asm__("aligned_alloc");
UPCR_INLINE void *upcr_inst_aligned_alloc(upcr_site *site, upcr_size alignment, upcr_size n)
{
    void *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_MALLOC, n);
    result = upcr_call_aligned_alloc(alignment, n);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_MALLOC, n, result);
    return result;
}

extern void *upcr_call_memalign(upcr_size alignment, upcr_size n) __asm__("memalign");
UPCR_INLINE void *upcr_inst_memalign(upcr_site *site, upcr_size alignment, upcr_size n)
{
    void *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_MALLOC, n);
    result = upcr_call_memalign(alignment, n);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_MALLOC, n, result);
    return result;
}

extern void *upcr_call_valloc(upcr_size n) __asm__("valloc");
UPCR_INLINE void *upcr_inst_valloc(upcr_site *site, upcr_size n)
{
    void *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_MALLOC, n);
    result = upcr_call_valloc(n);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_MALLOC, n, result);
    return result;
}

extern void *upcr_call_pvalloc(upcr_size n) __asm__("pvalloc");
UPCR_INLINE void *upcr_inst_pvalloc(upcr_site *site, upcr_size n)
{
    void *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_MALLOC, n);
    result = upcr_call_pvalloc(n);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_C_MALLOC, n, result);
    return result;
}

extern int upcr_call_posix_memalign(void **where, upcr_size alignment, upcr_size n) __asm__("posix_memalign");
UPCR_INLINE int upcr_inst_posix_memalign(upcr_site *site, void **where, upcr_size alignment, upcr_size n)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_MALLOC, n);
    result = upcr_call_posix_memalign(where, alignment, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_C_MALLOC, n, result == 0 ? *where : (void *)0);
    return result;
}

extern void upcr_call_free(void *p) __asm__("free");
UPCR_INLINE void upcr_inst_free(upcr_site *site, void *p)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_C_FREE, p);
    upcr_call_free(p);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_C_FREE, p);
}

extern upcr_pts_t upcr_call_upc_global_alloc(upcr_size nblocks, upcr_size nbytes) __asm__("upc_global_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_upc_global_alloc(upcr_site *site, upcr_size nblocks, upcr_size nbytes)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_GLOBAL_ALLOC, nblocks, nbytes);
    result = upcr_call_upc_global_alloc(nblocks, nbytes);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_GLOBAL_ALLOC, nblocks, nbytes, &result);
    return result;
}

extern upcr_pts_t upcr_call_upc_all_alloc(upcr_size nblocks, upcr_size nbytes) __asm__("upc_all_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_upc_all_alloc(upcr_site *site, upcr_size nblocks, upcr_size nbytes)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_ALLOC, nblocks, nbytes);
    result = upcr_call_upc_all_alloc(nblocks, nbytes);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_ALLOC, nblocks, nbytes, &result);
    return result;
}

extern upcr_pts_t upcr_call_upc_alloc(upcr_size n) __asm__("upc_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_upc_alloc(upcr_site *site, upcr_size n)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALLOC, n);
    result = upcr_call_upc_alloc(n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALLOC, n, &result);
    return result;
}

extern upcr_pts_t upcr_call_upc_local_alloc(upcr_size nblocks, upcr_size nbytes) __asm__("upc_local_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_upc_local_alloc(upcr_site *site, upcr_size nblocks, upcr_size nbytes)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALLOC, nblocks * nbytes);
    result = upcr_call_upc_local_alloc(nblocks, nbytes);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALLOC, nblocks * nbytes, &result);
    return result;
}

extern void upcr_call_upc_free(upcr_pts_t p) __asm__("upc_free");
UPCR_INLINE void upcr_inst_upc_free(upcr_site *site, upcr_pts_t p)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_FREE, &p);
    upcr_call_upc_free(p);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_FREE, &p);
}

extern void upcr_call_upc_all_free(upcr_pts_t p) __asm__("upc_all_free");
UPCR_INLINE void upcr_inst_upc_all_free(upcr_site *site, upcr_pts_t p)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_FREE, &p);
    upcr_call_upc_all_free(p);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_FREE, &p);
}

extern upcr_pts_t upcr_call_upc_global_lock_alloc(void) __asm__("upc_global_lock_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_upc_global_lock_alloc(upcr_site *site)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_GLOBAL_LOCK_ALLOC);
    result = upcr_call_upc_global_lock_alloc();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_GLOBAL_LOCK_ALLOC, &result);
    return result;
}

extern upcr_pts_t upcr_call_upc_all_lock_alloc(void) __asm__("upc_all_lock_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_upc_all_lock_alloc(upcr_site *site)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_LOCK_ALLOC);
    result = upcr_call_upc_all_lock_alloc();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_LOCK_ALLOC, &result);
    return result;
}

extern void upcr_call_upc_lock_free(upcr_pts_t lock) __asm__("upc_lock_free");
UPCR_INLINE void upcr_inst_upc_lock_free(upcr_site *site, upcr_pts_t lock)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_LOCK_FREE, &lock);
    upcr_call_upc_lock_free(lock);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_LOCK_FREE, &lock);
}

extern void upcr_call_upc_all_lock_free(upcr_pts_t lock) __asm__("upc_all_lock_free");
UPCR_INLINE void upcr_inst_upc_all_lock_free(upcr_site *site, upcr_pts_t lock)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_LOCK_FREE, &lock);
    upcr_call_upc_all_lock_free(lock);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_LOCK_FREE, &lock);
}

extern int upcr_call_upc_lock_attempt(upcr_pts_t lock) __asm__("upc_lock_attempt");
UPCR_INLINE int upcr_inst_upc_lock_attempt(upcr_site *site, upcr_pts_t lock)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_LOCK_ATTEMPT, &lock);
    result = upcr_call_upc_lock_attempt(lock);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_LOCK_ATTEMPT, &lock, result);
    return result;
}

extern void upcr_call_upc_unlock(upcr_pts_t lock) __asm__("upc_unlock");
UPCR_INLINE void upcr_inst_upc_unlock(upcr_site *site, upcr_pts_t lock)
{
    struct upcr_skip_counts *counts = upcr_inst_skip_call(site, lock, 0);
    if (counts) {
        counts->get--;
        upcr_call_upc_unlock(lock);
        return;
    }
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_UNLOCK, &lock);
    upcr_call_upc_unlock(lock);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_UNLOCK, &lock);
}

extern void upcr_call_upc_memcpy(upcr_pts_t dst, upcr_pts_t src, upcr_size n) __asm__("upc_memcpy");
UPCR_INLINE void upcr_inst_upc_memcpy(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
    upcr_call_upc_memcpy(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
}

extern void upcr_call_upc_memget(void *dst, upcr_pts_t src, upcr_size n) __asm__("upc_memget");
UPCR_INLINE void upcr_inst_upc_memget(upcr_site *site, void *dst, upcr_pts_t src, upcr_size n)
{
    struct upcr_skip_counts *counts = upcr_inst_skip_call(site, src, n);
    if (counts) {
        counts->get--;
        upcr_call_upc_memget(dst, src, n);
        return;
    }
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
    upcr_call_upc_memget(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
}

extern void upcr_call_upc_memput(upcr_pts_t dst, const void *src, upcr_size n) __asm__("upc_memput");
UPCR_INLINE void upcr_inst_upc_memput(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n)
{
    struct upcr_skip_counts *counts = upcr_inst_skip_call(site, dst, n);
    if (counts) {
        counts->get--;
        upcr_call_upc_memput(dst, src, n);
        return;
    }
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
    upcr_call_upc_memput(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

extern void upcr_call_upc_memset(upcr_pts_t dst, int c, upcr_size n) __asm__("upc_memset");
UPCR_INLINE void upcr_inst_upc_memset(upcr_site *site, upcr_pts_t dst, int c, upcr_size n)
{
    struct upcr_skip_counts *counts = upcr_inst_skip_call(site, dst, n);
    if (counts) {
        counts->get--;
        upcr_call_upc_memset(dst, c, n);
        return;
    }
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMSET, &dst, c, n);
    upcr_call_upc_memset(dst, c, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMSET, &dst, c, n);
}

extern void upcr_call_bupc_memput_signal(upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by) __asm__("bupc_memput_signal");
UPCR_INLINE void upcr_inst_bupc_memput_signal(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
    upcr_call_bupc_memput_signal(dst, src, n, s, by);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

extern void upcr_call_bupc_memput_signal_async(upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by) __asm__("bupc_memput_signal_async");
UPCR_INLINE void upcr_inst_bupc_memput_signal_async(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n, upcr_pts_t s, upcr_size by)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    upcr_call_bupc_memput_signal_async(dst, src, n, s, by);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, UPCR_TRIVIAL_);
}

extern upcr_pts_t upcr_call_bupc_sem_alloc(int flags) __asm__("bupc_sem_alloc");
UPCR_INLINE upcr_pts_t upcr_inst_bupc_sem_alloc(upcr_site *site, int flags)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_ALLOC, flags);
    result = upcr_call_bupc_sem_alloc(flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_ALLOC, flags, &result);
    return result;
}

extern void upcr_call_bupc_sem_free(upcr_pts_t s) __asm__("bupc_sem_free");
UPCR_INLINE void upcr_inst_bupc_sem_free(upcr_site *site, upcr_pts_t s)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_FREE, &s);
    upcr_call_bupc_sem_free(s);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_FREE, &s);
}

extern void upcr_call_bupc_sem_post(upcr_pts_t s) __asm__("bupc_sem_post");
UPCR_INLINE void upcr_inst_bupc_sem_post(upcr_site *site, upcr_pts_t s)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_POST, &s, (upcr_size)1);
    upcr_call_bupc_sem_post(s);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_POST, &s, (upcr_size)1);
}

extern void upcr_call_bupc_sem_postN(upcr_pts_t s, upcr_size n) __asm__("bupc_sem_postN");
UPCR_INLINE void upcr_inst_bupc_sem_postN(upcr_site *site, upcr_pts_t s, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_POST, &s, n);
    upcr_call_bupc_sem_postN(s, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_POST, &s, n);
}

extern void upcr_call_bupc_sem_wait(upcr_pts_t s) __asm__("bupc_sem_wait");
UPCR_INLINE void upcr_inst_bupc_sem_wait(upcr_site *site, upcr_pts_t s)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_WAIT, &s, (upcr_size)1);
    upcr_call_bupc_sem_wait(s);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_WAIT, &s, (upcr_size)1);
}

extern void upcr_call_bupc_sem_waitN(upcr_pts_t s, upcr_size n) __asm__("bupc_sem_waitN");
UPCR_INLINE void upcr_inst_bupc_sem_waitN(upcr_site *site, upcr_pts_t s, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_WAIT, &s, n);
    upcr_call_bupc_sem_waitN(s, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_WAIT, &s, n);
}

extern int upcr_call_bupc_sem_try(upcr_pts_t s) __asm__("bupc_sem_try");
UPCR_INLINE int upcr_inst_bupc_sem_try(upcr_site *site, upcr_pts_t s)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_TRY, &s, (upcr_size)1);
    result = upcr_call_bupc_sem_try(s);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_TRY, &s, (upcr_size)1, result);
    return result;
}

extern int upcr_call_bupc_sem_tryN(upcr_pts_t s, upcr_size n) __asm__("bupc_sem_tryN");
UPCR_INLINE int upcr_inst_bupc_sem_tryN(upcr_site *site, upcr_pts_t s, upcr_size n)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_SEM_TRY, &s, n);
    result = upcr_call_bupc_sem_tryN(s, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_SEM_TRY, &s, n, result);
    return result;
}

extern void upcr_call_upc_sync(struct upcr_transfer *handle) __asm__("upc_sync");
UPCR_INLINE void upcr_inst_upc_sync(upcr_site *site, struct upcr_transfer *handle)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_SYNC, handle);
    upcr_call_upc_sync(handle);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_SYNC, handle);
}

extern void upcr_call_bupc_waitsync(struct upcr_transfer *handle) __asm__("bupc_waitsync");
UPCR_INLINE void upcr_inst_bupc_waitsync(upcr_site *site, struct upcr_transfer *handle)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_SYNC, handle);
    upcr_call_bupc_waitsync(handle);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_SYNC, handle);
}

extern int upcr_call_upc_sync_attempt(struct upcr_transfer *handle) __asm__("upc_sync_attempt");
UPCR_INLINE int upcr_inst_upc_sync_attempt(upcr_site *site, struct upcr_transfer *handle)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_TRYSYNC, handle);
    result = upcr_call_upc_sync_attempt(handle);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_TRYSYNC, handle, result);
    return result;
}

extern int upcr_call_bupc_trysync(struct upcr_transfer *handle) __asm__("bupc_trysync");
UPCR_INLINE int upcr_inst_bupc_trysync(upcr_site *site, struct upcr_transfer *handle)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_TRYSYNC, handle);
    result = upcr_call_bupc_trysync(handle);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_TRYSYNC, handle, result);
    return result;
}

extern void upcr_call_upc_synci(void) __asm__("upc_synci");
UPCR_INLINE void upcr_inst_upc_synci(upcr_site *site)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_SYNC, UPCR_TRIVIAL_);
    upcr_call_upc_synci();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_SYNC, UPCR_TRIVIAL_);
}

extern void upcr_call_bupc_waitsynci(void) __asm__("bupc_waitsynci");
UPCR_INLINE void upcr_inst_bupc_waitsynci(upcr_site *site)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_SYNC, UPCR_TRIVIAL_);
    upcr_call_bupc_waitsynci();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_SYNC, UPCR_TRIVIAL_);
}

extern int upcr_call_upc_synci_attempt(void) __asm__("upc_synci_attempt");
UPCR_INLINE int upcr_inst_upc_synci_attempt(upcr_site *site)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_TRYSYNC, UPCR_TRIVIAL_);
    result = upcr_call_upc_synci_attempt();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_TRYSYNC, UPCR_TRIVIAL_, result);
    return result;
}

extern int upcr_call_bupc_trysynci(void) __asm__("bupc_trysynci");
UPCR_INLINE int upcr_inst_bupc_trysynci(upcr_site *site)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_TRYSYNC, UPCR_TRIVIAL_);
    result = upcr_call_bupc_trysynci();
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_TRYSYNC, UPCR_TRIVIAL_, result);
    return result;
}

extern void upcr_call_bupc_waitsync_all(struct upcr_transfer **handles, upcr_size count) __asm__("bupc_waitsync_all");
UPCR_INLINE void upcr_inst_bupc_waitsync_all(upcr_site *site, struct upcr_transfer **handles, upcr_size count)
{
    struct upcr_transfer *first = upcr_pending_(handles, count);
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_SYNC, first);
    upcr_call_bupc_waitsync_all(handles, count);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_SYNC, first);
}

extern void upcr_call_bupc_waitsync_some(struct upcr_transfer **handles, upcr_size count) __asm__("bupc_waitsync_some");
UPCR_INLINE void upcr_inst_bupc_waitsync_some(upcr_site *site, struct upcr_transfer **handles, upcr_size count)
{
    struct upcr_transfer *first = upcr_pending_(handles, count);
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_SYNC, first);
    upcr_call_bupc_waitsync_some(handles, count);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_SYNC, first);
}

extern int upcr_call_bupc_trysync_all(struct upcr_transfer **handles, upcr_size count) __asm__("bupc_trysync_all");
UPCR_INLINE int upcr_inst_bupc_trysync_all(upcr_site *site, struct upcr_transfer **handles, upcr_size count)
{
    struct upcr_transfer *first = upcr_pending_(handles, count);
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_TRYSYNC, first);
    result = upcr_call_bupc_trysync_all(handles, count);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_TRYSYNC, first, result);
    return result;
}

extern int upcr_call_bupc_trysync_some(struct upcr_transfer **handles, upcr_size count) __asm__("bupc_trysync_some");
UPCR_INLINE int upcr_inst_bupc_trysync_some(upcr_site *site, struct upcr_transfer **handles, upcr_size count)
{
    struct upcr_transfer *first = upcr_pending_(handles, count);
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_TRYSYNC, first);
    result = upcr_call_bupc_trysync_some(handles, count);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_TRYSYNC, first, result);
    return result;
}

extern void upcr_call_upc_all_broadcast(upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags) __asm__("upc_all_broadcast");
UPCR_INLINE void upcr_inst_upc_all_broadcast(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_BROADCAST, &dst, &src, n, flags);
    upcr_call_upc_all_broadcast(dst, src, n, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_BROADCAST, &dst, &src, n, flags);
}

extern void upcr_call_upc_all_scatter(upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags) __asm__("upc_all_scatter");
UPCR_INLINE void upcr_inst_upc_all_scatter(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_SCATTER, &dst, &src, n, flags);
    upcr_call_upc_all_scatter(dst, src, n, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_SCATTER, &dst, &src, n, flags);
}

extern void upcr_call_upc_all_gather(upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags) __asm__("upc_all_gather");
UPCR_INLINE void upcr_inst_upc_all_gather(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_GATHER, &dst, &src, n, flags);
    upcr_call_upc_all_gather(dst, src, n, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_GATHER, &dst, &src, n, flags);
}

extern void upcr_call_upc_all_gather_all(upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags) __asm__("upc_all_gather_all");
UPCR_INLINE void upcr_inst_upc_all_gather_all(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_GATHER_ALL, &dst, &src, n, flags);
    upcr_call_upc_all_gather_all(dst, src, n, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_GATHER_ALL, &dst, &src, n, flags);
}

extern void upcr_call_upc_all_exchange(upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags) __asm__("upc_all_exchange");
UPCR_INLINE void upcr_inst_upc_all_exchange(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n, int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_EXCHANGE, &dst, &src, n, flags);
    upcr_call_upc_all_exchange(dst, src, n, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_EXCHANGE, &dst, &src, n, flags);
}

extern void upcr_call_upc_all_permute(upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, upcr_size n, int flags) __asm__("upc_all_permute");
UPCR_INLINE void upcr_inst_upc_all_permute(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_pts_t perm, upcr_size n, int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PERMUTE, &dst, &src, &perm, n, flags);
    upcr_call_upc_all_permute(dst, src, perm, n, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PERMUTE, &dst, &src, &perm, n, flags);
}

extern void upcr_call_upc_atomic_strict(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one, const void *two) __asm__("upc_atomic_strict");
UPCR_INLINE void upcr_inst_upc_atomic_strict(upcr_site *site, upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one, const void *two)
{
    upcr_size n = upcr_inst_on ? upcr_atomic_bytes(domain) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, op, n);
    upcr_call_upc_atomic_strict(domain, fetch, op, target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, op, n);
}

extern void upcr_call_upc_atomic_relaxed(upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one, const void *two) __asm__("upc_atomic_relaxed");
UPCR_INLINE void upcr_inst_upc_atomic_relaxed(upcr_site *site, upcr_pts_t domain, void *fetch, int op, upcr_pts_t target, const void *one, const void *two)
{
    upcr_size n = upcr_inst_on ? upcr_atomic_bytes(domain) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, op, n);
    upcr_call_upc_atomic_relaxed(domain, fetch, op, target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, op, n);
}

extern __INT64_TYPE__ upcr_call_upc_all_fread_local(upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fread_local");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fread_local(upcr_site *site, upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? size * nmemb : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 0, n, sync);
    result = upcr_call_upc_all_fread_local(fd, buffer, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 0, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fread_local_async(upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fread_local_async");
UPCR_INLINE void upcr_inst_upc_all_fread_local_async(upcr_site *site, upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? size * nmemb : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 0, n, sync);
    upcr_call_upc_all_fread_local_async(fd, buffer, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 0, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fwrite_local(upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fwrite_local");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fwrite_local(upcr_site *site, upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? size * nmemb : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 0, n, sync);
    result = upcr_call_upc_all_fwrite_local(fd, buffer, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 0, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fwrite_local_async(upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fwrite_local_async");
UPCR_INLINE void upcr_inst_upc_all_fwrite_local_async(upcr_site *site, upcr_pts_t fd, void *buffer, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? size * nmemb : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 0, n, sync);
    upcr_call_upc_all_fwrite_local_async(fd, buffer, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 0, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fread_shared(upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fread_shared");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fread_shared(upcr_site *site, upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_file_part(fd, size * nmemb) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 1, n, sync);
    result = upcr_call_upc_all_fread_shared(fd, buffer, blocksize, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 1, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fread_shared_async(upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fread_shared_async");
UPCR_INLINE void upcr_inst_upc_all_fread_shared_async(upcr_site *site, upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_file_part(fd, size * nmemb) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 1, n, sync);
    upcr_call_upc_all_fread_shared_async(fd, buffer, blocksize, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 1, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fwrite_shared(upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fwrite_shared");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fwrite_shared(upcr_site *site, upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_file_part(fd, size * nmemb) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 1, n, sync);
    result = upcr_call_upc_all_fwrite_shared(fd, buffer, blocksize, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 1, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fwrite_shared_async(upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags) __asm__("upc_all_fwrite_shared_async");
UPCR_INLINE void upcr_inst_upc_all_fwrite_shared_async(upcr_site *site, upcr_pts_t fd, upcr_pts_t buffer, upcr_size blocksize, upcr_size size, upcr_size nmemb, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_file_part(fd, size * nmemb) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 1, n, sync);
    upcr_call_upc_all_fwrite_shared_async(fd, buffer, blocksize, size, nmemb, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 1, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fread_list_local(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fread_list_local");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fread_list_local(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_private_blocks_((const upcr_private_block_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 0, n, sync);
    result = upcr_call_upc_all_fread_list_local(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 0, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fread_list_local_async(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fread_list_local_async");
UPCR_INLINE void upcr_inst_upc_all_fread_list_local_async(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_private_blocks_((const upcr_private_block_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 0, n, sync);
    upcr_call_upc_all_fread_list_local_async(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 0, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fwrite_list_local(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fwrite_list_local");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fwrite_list_local(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_private_blocks_((const upcr_private_block_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 0, n, sync);
    result = upcr_call_upc_all_fwrite_list_local(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 0, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fwrite_list_local_async(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fwrite_list_local_async");
UPCR_INLINE void upcr_inst_upc_all_fwrite_list_local_async(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_private_blocks_((const upcr_private_block_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 0, n, sync);
    upcr_call_upc_all_fwrite_list_local_async(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 0, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fread_list_shared(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fread_list_shared");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fread_list_shared(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_memvecs_((const upcr_shared_memvec_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 1, n, sync);
    result = upcr_call_upc_all_fread_list_shared(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FREAD, &fd, kind, 1, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fread_list_shared_async(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fread_list_shared_async");
UPCR_INLINE void upcr_inst_upc_all_fread_list_shared_async(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_memvecs_((const upcr_shared_memvec_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 1, n, sync);
    upcr_call_upc_all_fread_list_shared_async(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FREAD_ASYNC, &fd, kind, 1, n, sync);
}

extern __INT64_TYPE__ upcr_call_upc_all_fwrite_list_shared(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fwrite_list_shared");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fwrite_list_shared(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_memvecs_((const upcr_shared_memvec_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 1, n, sync);
    result = upcr_call_upc_all_fwrite_list_shared(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FWRITE, &fd, kind, 1, n, sync, result);
    return result;
}

extern void upcr_call_upc_all_fwrite_list_shared_async(upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags) __asm__("upc_all_fwrite_list_shared_async");
UPCR_INLINE void upcr_inst_upc_all_fwrite_list_shared_async(upcr_site *site, upcr_pts_t fd, upcr_size memvecs, const void *memvec, upcr_size filevecs, const void *filevec, int flags)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_memvecs_((const upcr_shared_memvec_ *)memvec, memvecs) : 0;
    int sync = upcr_inst_on ? upcr_file_sync_flags(fd, flags) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 1, n, sync);
    upcr_call_upc_all_fwrite_list_shared_async(fd, memvecs, memvec, filevecs, filevec, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ALL_FWRITE_ASYNC, &fd, kind, 1, n, sync);
}

extern upcr_pts_t upcr_call_upc_all_fopen(const char *name, int flags, upcr_size hints, const void *hint) __asm__("upc_all_fopen");
UPCR_INLINE upcr_pts_t upcr_inst_upc_all_fopen(upcr_site *site, const char *name, int flags, upcr_size hints, const void *hint)
{
    upcr_pts_t result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FOPEN, name, flags);
    result = upcr_call_upc_all_fopen(name, flags, hints, hint);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FOPEN, name, flags, &result);
    return result;
}

extern int upcr_call_upc_all_fclose(upcr_pts_t fd) __asm__("upc_all_fclose");
UPCR_INLINE int upcr_inst_upc_all_fclose(upcr_site *site, upcr_pts_t fd)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FCLOSE, &fd, kind);
    result = upcr_call_upc_all_fclose(fd);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FCLOSE, &fd, kind, result);
    return result;
}

extern int upcr_call_upc_all_fsync(upcr_pts_t fd) __asm__("upc_all_fsync");
UPCR_INLINE int upcr_inst_upc_all_fsync(upcr_site *site, upcr_pts_t fd)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FSYNC, &fd, kind);
    result = upcr_call_upc_all_fsync(fd);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FSYNC, &fd, kind, result);
    return result;
}

extern __INT64_TYPE__ upcr_call_upc_all_fseek(upcr_pts_t fd, __INT64_TYPE__ offset, int origin) __asm__("upc_all_fseek");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fseek(upcr_site *site, upcr_pts_t fd, __INT64_TYPE__ offset, int origin)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FSEEK, &fd, kind, offset, origin);
    result = upcr_call_upc_all_fseek(fd, offset, origin);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FSEEK, &fd, kind, offset, origin, result);
    return result;
}

extern int upcr_call_upc_all_fset_size(upcr_pts_t fd, __INT64_TYPE__ size) __asm__("upc_all_fset_size");
UPCR_INLINE int upcr_inst_upc_all_fset_size(upcr_site *site, upcr_pts_t fd, __INT64_TYPE__ size)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FSET_SIZE, &fd, kind, size);
    result = upcr_call_upc_all_fset_size(fd, size);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FSET_SIZE, &fd, kind, size, result);
    return result;
}

extern __INT64_TYPE__ upcr_call_upc_all_fget_size(upcr_pts_t fd) __asm__("upc_all_fget_size");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fget_size(upcr_site *site, upcr_pts_t fd)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FGET_SIZE, &fd, kind);
    result = upcr_call_upc_all_fget_size(fd);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FGET_SIZE, &fd, kind, result);
    return result;
}

extern int upcr_call_upc_all_fpreallocate(upcr_pts_t fd, __INT64_TYPE__ size) __asm__("upc_all_fpreallocate");
UPCR_INLINE int upcr_inst_upc_all_fpreallocate(upcr_site *site, upcr_pts_t fd, __INT64_TYPE__ size)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FPREALLOCATE, &fd, kind, size);
    result = upcr_call_upc_all_fpreallocate(fd, size);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FPREALLOCATE, &fd, kind, size, result);
    return result;
}

extern int upcr_call_upc_all_fcntl(upcr_pts_t fd, int command, void *argument) __asm__("upc_all_fcntl");
UPCR_INLINE int upcr_inst_upc_all_fcntl(upcr_site *site, upcr_pts_t fd, int command, void *argument)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FCNTL, &fd, kind, command);
    result = upcr_call_upc_all_fcntl(fd, command, argument);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FCNTL, &fd, kind, command, result);
    return result;
}

extern __INT64_TYPE__ upcr_call_upc_all_fwait_async(upcr_pts_t fd) __asm__("upc_all_fwait_async");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_fwait_async(upcr_site *site, upcr_pts_t fd)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FWAIT_ASYNC, &fd, kind);
    result = upcr_call_upc_all_fwait_async(fd);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FWAIT_ASYNC, &fd, kind, result);
    return result;
}

extern __INT64_TYPE__ upcr_call_upc_all_ftest_async(upcr_pts_t fd, int *flag) __asm__("upc_all_ftest_async");
UPCR_INLINE __INT64_TYPE__ upcr_inst_upc_all_ftest_async(upcr_site *site, upcr_pts_t fd, int *flag)
{
    int kind = upcr_inst_on ? upcr_file_flags(fd) : 0;
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ALL_FTEST_ASYNC, &fd, kind);
    result = upcr_call_upc_all_ftest_async(fd, flag);
    if (upcr_inst_on)
        upcr_inst_end_keeping_errno(site, UPCR_EVENT_UPCC_ALL_FTEST_ASYNC, &fd, kind, *flag, result);
    return result;
}

extern void upcr_call_bupc_memcpy_vlist(upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist) __asm__("bupc_memcpy_vlist");
UPCR_INLINE void upcr_inst_bupc_memcpy_vlist(upcr_site *site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist)
{
    upcr_pts_t dst = tos != 0 ? ((const upcr_shared_block_ *)tolist)->addr : UPCR_NULL;
    upcr_pts_t src = froms != 0 ? ((const upcr_shared_block_ *)fromlist)->addr : UPCR_NULL;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_blocks_((const upcr_shared_block_ *)tolist, tos) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
    upcr_call_bupc_memcpy_vlist(tos, tolist, froms, fromlist);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memcpy_vlist_async(upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist) __asm__("bupc_memcpy_vlist_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memcpy_vlist_async(upcr_site *site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist)
{
    upcr_pts_t dst = tos != 0 ? ((const upcr_shared_block_ *)tolist)->addr : UPCR_NULL;
    upcr_pts_t src = froms != 0 ? ((const upcr_shared_block_ *)fromlist)->addr : UPCR_NULL;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_blocks_((const upcr_shared_block_ *)tolist, tos) : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    result = upcr_call_bupc_memcpy_vlist_async(tos, tolist, froms, fromlist);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memcpy_ilist(upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength) __asm__("bupc_memcpy_ilist");
UPCR_INLINE void upcr_inst_bupc_memcpy_ilist(upcr_site *site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength)
{
    upcr_pts_t dst = tos != 0 ? *(upcr_pts_t const *)tolist : UPCR_NULL;
    upcr_pts_t src = froms != 0 ? *(upcr_pts_t const *)fromlist : UPCR_NULL;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
    upcr_call_bupc_memcpy_ilist(tos, tolist, tolength, froms, fromlist, fromlength);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memcpy_ilist_async(upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength) __asm__("bupc_memcpy_ilist_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memcpy_ilist_async(upcr_site *site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength)
{
    upcr_pts_t dst = tos != 0 ? *(upcr_pts_t const *)tolist : UPCR_NULL;
    upcr_pts_t src = froms != 0 ? *(upcr_pts_t const *)fromlist : UPCR_NULL;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    result = upcr_call_bupc_memcpy_ilist_async(tos, tolist, tolength, froms, fromlist, fromlength);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memcpy_fstrided(upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms) __asm__("bupc_memcpy_fstrided");
UPCR_INLINE void upcr_inst_bupc_memcpy_fstrided(upcr_site *site, upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms)
{
    upcr_pts_t dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
    upcr_call_bupc_memcpy_fstrided(to, tolength, tostride, tos, from, fromlength, fromstride, froms);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memcpy_fstrided_async(upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms) __asm__("bupc_memcpy_fstrided_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memcpy_fstrided_async(upcr_site *site, upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms)
{
    upcr_pts_t dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    result = upcr_call_bupc_memcpy_fstrided_async(to, tolength, tostride, tos, from, fromlength, fromstride, froms);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memcpy_strided(upcr_pts_t to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels) __asm__("bupc_memcpy_strided");
UPCR_INLINE void upcr_inst_bupc_memcpy_strided(upcr_site *site, upcr_pts_t to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels)
{
    upcr_pts_t dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? upcr_strided_bytes_(counts, levels) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
    upcr_call_bupc_memcpy_strided(to, tostrides, from, fromstrides, counts, levels);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMCPY, &dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memcpy_strided_async(upcr_pts_t to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels) __asm__("bupc_memcpy_strided_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memcpy_strided_async(upcr_site *site, upcr_pts_t to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels)
{
    upcr_pts_t dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? upcr_strided_bytes_(counts, levels) : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    result = upcr_call_bupc_memcpy_strided_async(to, tostrides, from, fromstrides, counts, levels);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memget_vlist(upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist) __asm__("bupc_memget_vlist");
UPCR_INLINE void upcr_inst_bupc_memget_vlist(upcr_site *site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist)
{
    const void *dst = tos != 0 ? ((const upcr_private_block_ *)tolist)->addr : (void *)0;
    upcr_pts_t src = froms != 0 ? ((const upcr_shared_block_ *)fromlist)->addr : UPCR_NULL;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_private_blocks_((const upcr_private_block_ *)tolist, tos) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
    upcr_call_bupc_memget_vlist(tos, tolist, froms, fromlist);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memget_vlist_async(upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist) __asm__("bupc_memget_vlist_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memget_vlist_async(upcr_site *site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist)
{
    const void *dst = tos != 0 ? ((const upcr_private_block_ *)tolist)->addr : (void *)0;
    upcr_pts_t src = froms != 0 ? ((const upcr_shared_block_ *)fromlist)->addr : UPCR_NULL;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_private_blocks_((const upcr_private_block_ *)tolist, tos) : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    result = upcr_call_bupc_memget_vlist_async(tos, tolist, froms, fromlist);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memget_ilist(upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength) __asm__("bupc_memget_ilist");
UPCR_INLINE void upcr_inst_bupc_memget_ilist(upcr_site *site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength)
{
    const void *dst = tos != 0 ? *(void *const *)tolist : (void *)0;
    upcr_pts_t src = froms != 0 ? *(upcr_pts_t const *)fromlist : UPCR_NULL;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
    upcr_call_bupc_memget_ilist(tos, tolist, tolength, froms, fromlist, fromlength);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memget_ilist_async(upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength) __asm__("bupc_memget_ilist_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memget_ilist_async(upcr_site *site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength)
{
    const void *dst = tos != 0 ? *(void *const *)tolist : (void *)0;
    upcr_pts_t src = froms != 0 ? *(upcr_pts_t const *)fromlist : UPCR_NULL;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    result = upcr_call_bupc_memget_ilist_async(tos, tolist, tolength, froms, fromlist, fromlength);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memget_fstrided(const void *to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms) __asm__("bupc_memget_fstrided");
UPCR_INLINE void upcr_inst_bupc_memget_fstrided(upcr_site *site, const void *to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms)
{
    const void *dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
    upcr_call_bupc_memget_fstrided(to, tolength, tostride, tos, from, fromlength, fromstride, froms);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memget_fstrided_async(const void *to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms) __asm__("bupc_memget_fstrided_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memget_fstrided_async(upcr_site *site, const void *to, upcr_size tolength, upcr_size tostride, upcr_size tos, upcr_pts_t from, upcr_size fromlength, upcr_size fromstride, upcr_size froms)
{
    const void *dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    result = upcr_call_bupc_memget_fstrided_async(to, tolength, tostride, tos, from, fromlength, fromstride, froms);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memget_strided(const void *to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels) __asm__("bupc_memget_strided");
UPCR_INLINE void upcr_inst_bupc_memget_strided(upcr_site *site, const void *to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels)
{
    const void *dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? upcr_strided_bytes_(counts, levels) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
    upcr_call_bupc_memget_strided(to, tostrides, from, fromstrides, counts, levels);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMGET, dst, &src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memget_strided_async(const void *to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels) __asm__("bupc_memget_strided_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memget_strided_async(upcr_site *site, const void *to, const upcr_size *tostrides, upcr_pts_t from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels)
{
    const void *dst = to;
    upcr_pts_t src = from;
    upcr_size n = upcr_inst_on ? upcr_strided_bytes_(counts, levels) : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    result = upcr_call_bupc_memget_strided_async(to, tostrides, from, fromstrides, counts, levels);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memput_vlist(upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist) __asm__("bupc_memput_vlist");
UPCR_INLINE void upcr_inst_bupc_memput_vlist(upcr_site *site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist)
{
    upcr_pts_t dst = tos != 0 ? ((const upcr_shared_block_ *)tolist)->addr : UPCR_NULL;
    const void *src = froms != 0 ? ((const upcr_private_block_ *)fromlist)->addr : (void *)0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_blocks_((const upcr_shared_block_ *)tolist, tos) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
    upcr_call_bupc_memput_vlist(tos, tolist, froms, fromlist);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memput_vlist_async(upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist) __asm__("bupc_memput_vlist_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memput_vlist_async(upcr_site *site, upcr_size tos, const void *tolist, upcr_size froms, const void *fromlist)
{
    upcr_pts_t dst = tos != 0 ? ((const upcr_shared_block_ *)tolist)->addr : UPCR_NULL;
    const void *src = froms != 0 ? ((const upcr_private_block_ *)fromlist)->addr : (void *)0;
    upcr_size n = upcr_inst_on ? upcr_bytes_of_shared_blocks_((const upcr_shared_block_ *)tolist, tos) : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    result = upcr_call_bupc_memput_vlist_async(tos, tolist, froms, fromlist);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, result);
    return result;
}

extern void upcr_call_bupc_memput_ilist(upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength) __asm__("bupc_memput_ilist");
UPCR_INLINE void upcr_inst_bupc_memput_ilist(upcr_site *site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength)
{
    upcr_pts_t dst = tos != 0 ? *(upcr_pts_t const *)tolist : UPCR_NULL;
    const void *src = froms != 0 ? *(void *const *)fromlist : (void *)0;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
    upcr_call_bupc_memput_ilist(tos, tolist, tolength, froms, fromlist, fromlength);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memput_ilist_async(upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength) __asm__("bupc_memput_ilist_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memput_ilist_async(upcr_site *site, upcr_size tos, const void *tolist, upcr_size tolength, upcr_size froms, const void *fromlist, upcr_size fromlength)
{
    upcr_pts_t dst = tos != 0 ? *(upcr_pts_t const *)tolist : UPCR_NULL;
    const void *src = froms != 0 ? *(void *const *)fromlist : (void *)0;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    result = upcr_call_bupc_memput_ilist_async(tos, tolist, tolength, froms, fromlist, fromlength);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, result);
    return result;
}

extern void upcr_call_bupc_memput_fstrided(upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, const void *from, upcr_size fromlength, upcr_size fromstride, upcr_size froms) __asm__("bupc_memput_fstrided");
UPCR_INLINE void upcr_inst_bupc_memput_fstrided(upcr_site *site, upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, const void *from, upcr_size fromlength, upcr_size fromstride, upcr_size froms)
{
    upcr_pts_t dst = to;
    const void *src = from;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
    upcr_call_bupc_memput_fstrided(to, tolength, tostride, tos, from, fromlength, fromstride, froms);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memput_fstrided_async(upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, const void *from, upcr_size fromlength, upcr_size fromstride, upcr_size froms) __asm__("bupc_memput_fstrided_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memput_fstrided_async(upcr_site *site, upcr_pts_t to, upcr_size tolength, upcr_size tostride, upcr_size tos, const void *from, upcr_size fromlength, upcr_size fromstride, upcr_size froms)
{
    upcr_pts_t dst = to;
    const void *src = from;
    upcr_size n = upcr_inst_on ? tos * tolength : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    result = upcr_call_bupc_memput_fstrided_async(to, tolength, tostride, tos, from, fromlength, fromstride, froms);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, result);
    return result;
}

extern void upcr_call_bupc_memput_strided(upcr_pts_t to, const upcr_size *tostrides, const void *from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels) __asm__("bupc_memput_strided");
UPCR_INLINE void upcr_inst_bupc_memput_strided(upcr_site *site, upcr_pts_t to, const upcr_size *tostrides, const void *from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels)
{
    upcr_pts_t dst = to;
    const void *src = from;
    upcr_size n = upcr_inst_on ? upcr_strided_bytes_(counts, levels) : 0;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
    upcr_call_bupc_memput_strided(to, tostrides, from, fromstrides, counts, levels);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_MEMPUT, &dst, src, n);
}

extern struct upcr_transfer *upcr_call_bupc_memput_strided_async(upcr_pts_t to, const upcr_size *tostrides, const void *from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels) __asm__("bupc_memput_strided_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memput_strided_async(upcr_site *site, upcr_pts_t to, const upcr_size *tostrides, const void *from, const upcr_size *fromstrides, const upcr_size *counts, upcr_size levels)
{
    upcr_pts_t dst = to;
    const void *src = from;
    upcr_size n = upcr_inst_on ? upcr_strided_bytes_(counts, levels) : 0;
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    result = upcr_call_bupc_memput_strided_async(to, tostrides, from, fromstrides, counts, levels);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, result);
    return result;
}

extern struct upcr_transfer *upcr_call_upc_memcpy_nb(upcr_pts_t dst, upcr_pts_t src, upcr_size n) __asm__("upc_memcpy_nb");
UPCR_INLINE struct upcr_transfer *upcr_inst_upc_memcpy_nb(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    result = upcr_call_upc_memcpy_nb(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, result);
    return result;
}

extern void upcr_call_upc_memcpy_nbi(upcr_pts_t dst, upcr_pts_t src, upcr_size n) __asm__("upc_memcpy_nbi");
UPCR_INLINE void upcr_inst_upc_memcpy_nbi(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    upcr_call_upc_memcpy_nbi(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_upc_memget_nb(void *dst, upcr_pts_t src, upcr_size n) __asm__("upc_memget_nb");
UPCR_INLINE struct upcr_transfer *upcr_inst_upc_memget_nb(upcr_site *site, void *dst, upcr_pts_t src, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    result = upcr_call_upc_memget_nb(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, result);
    return result;
}

extern void upcr_call_upc_memget_nbi(void *dst, upcr_pts_t src, upcr_size n) __asm__("upc_memget_nbi");
UPCR_INLINE void upcr_inst_upc_memget_nbi(upcr_site *site, void *dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    upcr_call_upc_memget_nbi(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_upc_memput_nb(upcr_pts_t dst, const void *src, upcr_size n) __asm__("upc_memput_nb");
UPCR_INLINE struct upcr_transfer *upcr_inst_upc_memput_nb(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    result = upcr_call_upc_memput_nb(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, result);
    return result;
}

extern void upcr_call_upc_memput_nbi(upcr_pts_t dst, const void *src, upcr_size n) __asm__("upc_memput_nbi");
UPCR_INLINE void upcr_inst_upc_memput_nbi(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    upcr_call_upc_memput_nbi(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_upc_memset_nb(upcr_pts_t dst, int c, upcr_size n) __asm__("upc_memset_nb");
UPCR_INLINE struct upcr_transfer *upcr_inst_upc_memset_nb(upcr_site *site, upcr_pts_t dst, int c, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n);
    result = upcr_call_upc_memset_nb(dst, c, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n, result);
    return result;
}

extern void upcr_call_upc_memset_nbi(upcr_pts_t dst, int c, upcr_size n) __asm__("upc_memset_nbi");
UPCR_INLINE void upcr_inst_upc_memset_nbi(upcr_site *site, upcr_pts_t dst, int c, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n);
    upcr_call_upc_memset_nbi(dst, c, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_bupc_memcpy_async(upcr_pts_t dst, upcr_pts_t src, upcr_size n) __asm__("bupc_memcpy_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memcpy_async(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    result = upcr_call_bupc_memcpy_async(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memcpy_asynci(upcr_pts_t dst, upcr_pts_t src, upcr_size n) __asm__("bupc_memcpy_asynci");
UPCR_INLINE void upcr_inst_bupc_memcpy_asynci(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n);
    upcr_call_bupc_memcpy_asynci(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_BUPC_NB_MEMCPY_INIT, &dst, &src, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_bupc_memget_async(void *dst, upcr_pts_t src, upcr_size n) __asm__("bupc_memget_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memget_async(upcr_site *site, void *dst, upcr_pts_t src, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    result = upcr_call_bupc_memget_async(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, result);
    return result;
}

extern void upcr_call_bupc_memget_asynci(void *dst, upcr_pts_t src, upcr_size n) __asm__("bupc_memget_asynci");
UPCR_INLINE void upcr_inst_bupc_memget_asynci(upcr_site *site, void *dst, upcr_pts_t src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n);
    upcr_call_bupc_memget_asynci(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_GET_INIT, 1, dst, &src, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_bupc_memput_async(upcr_pts_t dst, const void *src, upcr_size n) __asm__("bupc_memput_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memput_async(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    result = upcr_call_bupc_memput_async(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, result);
    return result;
}

extern void upcr_call_bupc_memput_asynci(upcr_pts_t dst, const void *src, upcr_size n) __asm__("bupc_memput_asynci");
UPCR_INLINE void upcr_inst_bupc_memput_asynci(upcr_site *site, upcr_pts_t dst, const void *src, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n);
    upcr_call_bupc_memput_asynci(dst, src, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_NB_PUT_INIT, 1, &dst, src, n, UPCR_TRIVIAL_);
}

extern struct upcr_transfer *upcr_call_bupc_memset_async(upcr_pts_t dst, int c, upcr_size n) __asm__("bupc_memset_async");
UPCR_INLINE struct upcr_transfer *upcr_inst_bupc_memset_async(upcr_site *site, upcr_pts_t dst, int c, upcr_size n)
{
    struct upcr_transfer *result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n);
    result = upcr_call_bupc_memset_async(dst, c, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n, result);
    return result;
}

extern void upcr_call_bupc_memset_asynci(upcr_pts_t dst, int c, upcr_size n) __asm__("bupc_memset_asynci");
UPCR_INLINE void upcr_inst_bupc_memset_asynci(upcr_site *site, upcr_pts_t dst, int c, upcr_size n)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n);
    upcr_call_bupc_memset_asynci(dst, c, n);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_NB_MEMSET_INIT, &dst, c, n, UPCR_TRIVIAL_);
}

extern void upcr_call_upc_all_reduceC(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, signed char (*func)(signed char, signed char), int flags) __asm__("upc_all_reduceC");
UPCR_INLINE void upcr_inst_upc_all_reduceC(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, signed char (*func)(signed char, signed char), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 0);
    upcr_call_upc_all_reduceC(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 0);
}

extern void upcr_call_bupc_all_reduce_allC(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, signed char (*func)(signed char, signed char), int flags) __asm__("bupc_all_reduce_allC");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allC(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, signed char (*func)(signed char, signed char), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 0);
    upcr_call_bupc_all_reduce_allC(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 0);
}

extern void upcr_call_upc_all_prefix_reduceC(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, signed char (*func)(signed char, signed char), int flags) __asm__("upc_all_prefix_reduceC");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceC(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, signed char (*func)(signed char, signed char), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 0);
    upcr_call_upc_all_prefix_reduceC(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 0);
}

extern void upcr_call_upc_all_reduceUC(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned char (*func)(unsigned char, unsigned char), int flags) __asm__("upc_all_reduceUC");
UPCR_INLINE void upcr_inst_upc_all_reduceUC(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned char (*func)(unsigned char, unsigned char), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 1);
    upcr_call_upc_all_reduceUC(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 1);
}

extern void upcr_call_bupc_all_reduce_allUC(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned char (*func)(unsigned char, unsigned char), int flags) __asm__("bupc_all_reduce_allUC");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allUC(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned char (*func)(unsigned char, unsigned char), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 1);
    upcr_call_bupc_all_reduce_allUC(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 1);
}

extern void upcr_call_upc_all_prefix_reduceUC(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned char (*func)(unsigned char, unsigned char), int flags) __asm__("upc_all_prefix_reduceUC");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceUC(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned char (*func)(unsigned char, unsigned char), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 1);
    upcr_call_upc_all_prefix_reduceUC(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 1);
}

extern void upcr_call_upc_all_reduceS(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, short (*func)(short, short), int flags) __asm__("upc_all_reduceS");
UPCR_INLINE void upcr_inst_upc_all_reduceS(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, short (*func)(short, short), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 2);
    upcr_call_upc_all_reduceS(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 2);
}

extern void upcr_call_bupc_all_reduce_allS(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, short (*func)(short, short), int flags) __asm__("bupc_all_reduce_allS");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allS(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, short (*func)(short, short), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 2);
    upcr_call_bupc_all_reduce_allS(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 2);
}

extern void upcr_call_upc_all_prefix_reduceS(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, short (*func)(short, short), int flags) __asm__("upc_all_prefix_reduceS");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceS(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, short (*func)(short, short), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 2);
    upcr_call_upc_all_prefix_reduceS(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 2);
}

extern void upcr_call_upc_all_reduceUS(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned short (*func)(unsigned short, unsigned short), int flags) __asm__("upc_all_reduceUS");
UPCR_INLINE void upcr_inst_upc_all_reduceUS(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned short (*func)(unsigned short, unsigned short), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 3);
    upcr_call_upc_all_reduceUS(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 3);
}

extern void upcr_call_bupc_all_reduce_allUS(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned short (*func)(unsigned short, unsigned short), int flags) __asm__("bupc_all_reduce_allUS");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allUS(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned short (*func)(unsigned short, unsigned short), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 3);
    upcr_call_bupc_all_reduce_allUS(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 3);
}

extern void upcr_call_upc_all_prefix_reduceUS(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned short (*func)(unsigned short, unsigned short), int flags) __asm__("upc_all_prefix_reduceUS");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceUS(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned short (*func)(unsigned short, unsigned short), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 3);
    upcr_call_upc_all_prefix_reduceUS(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 3);
}

extern void upcr_call_upc_all_reduceI(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, int (*func)(int, int), int flags) __asm__("upc_all_reduceI");
UPCR_INLINE void upcr_inst_upc_all_reduceI(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, int (*func)(int, int), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 4);
    upcr_call_upc_all_reduceI(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 4);
}

extern void upcr_call_bupc_all_reduce_allI(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, int (*func)(int, int), int flags) __asm__("bupc_all_reduce_allI");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allI(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, int (*func)(int, int), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 4);
    upcr_call_bupc_all_reduce_allI(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 4);
}

extern void upcr_call_upc_all_prefix_reduceI(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, int (*func)(int, int), int flags) __asm__("upc_all_prefix_reduceI");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceI(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, int (*func)(int, int), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 4);
    upcr_call_upc_all_prefix_reduceI(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 4);
}

extern void upcr_call_upc_all_reduceUI(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned (*func)(unsigned, unsigned), int flags) __asm__("upc_all_reduceUI");
UPCR_INLINE void upcr_inst_upc_all_reduceUI(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned (*func)(unsigned, unsigned), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 5);
    upcr_call_upc_all_reduceUI(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 5);
}

extern void upcr_call_bupc_all_reduce_allUI(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned (*func)(unsigned, unsigned), int flags) __asm__("bupc_all_reduce_allUI");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allUI(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned (*func)(unsigned, unsigned), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 5);
    upcr_call_bupc_all_reduce_allUI(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 5);
}

extern void upcr_call_upc_all_prefix_reduceUI(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned (*func)(unsigned, unsigned), int flags) __asm__("upc_all_prefix_reduceUI");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceUI(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned (*func)(unsigned, unsigned), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 5);
    upcr_call_upc_all_prefix_reduceUI(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 5);
}

extern void upcr_call_upc_all_reduceL(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long (*func)(long, long), int flags) __asm__("upc_all_reduceL");
UPCR_INLINE void upcr_inst_upc_all_reduceL(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long (*func)(long, long), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 6);
    upcr_call_upc_all_reduceL(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 6);
}

extern void upcr_call_bupc_all_reduce_allL(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long (*func)(long, long), int flags) __asm__("bupc_all_reduce_allL");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allL(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long (*func)(long, long), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 6);
    upcr_call_bupc_all_reduce_allL(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 6);
}

extern void upcr_call_upc_all_prefix_reduceL(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long (*func)(long, long), int flags) __asm__("upc_all_prefix_reduceL");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceL(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long (*func)(long, long), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 6);
    upcr_call_upc_all_prefix_reduceL(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 6);
}

extern void upcr_call_upc_all_reduceUL(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned long (*func)(unsigned long, unsigned long), int flags) __asm__("upc_all_reduceUL");
UPCR_INLINE void upcr_inst_upc_all_reduceUL(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned long (*func)(unsigned long, unsigned long), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 7);
    upcr_call_upc_all_reduceUL(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 7);
}

extern void upcr_call_bupc_all_reduce_allUL(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned long (*func)(unsigned long, unsigned long), int flags) __asm__("bupc_all_reduce_allUL");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allUL(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned long (*func)(unsigned long, unsigned long), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 7);
    upcr_call_bupc_all_reduce_allUL(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 7);
}

extern void upcr_call_upc_all_prefix_reduceUL(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned long (*func)(unsigned long, unsigned long), int flags) __asm__("upc_all_prefix_reduceUL");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceUL(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, unsigned long (*func)(unsigned long, unsigned long), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 7);
    upcr_call_upc_all_prefix_reduceUL(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 7);
}

extern void upcr_call_upc_all_reduceF(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, float (*func)(float, float), int flags) __asm__("upc_all_reduceF");
UPCR_INLINE void upcr_inst_upc_all_reduceF(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, float (*func)(float, float), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 8);
    upcr_call_upc_all_reduceF(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 8);
}

extern void upcr_call_bupc_all_reduce_allF(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, float (*func)(float, float), int flags) __asm__("bupc_all_reduce_allF");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allF(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, float (*func)(float, float), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 8);
    upcr_call_bupc_all_reduce_allF(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 8);
}

extern void upcr_call_upc_all_prefix_reduceF(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, float (*func)(float, float), int flags) __asm__("upc_all_prefix_reduceF");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceF(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, float (*func)(float, float), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 8);
    upcr_call_upc_all_prefix_reduceF(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 8);
}

extern void upcr_call_upc_all_reduceD(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, double (*func)(double, double), int flags) __asm__("upc_all_reduceD");
UPCR_INLINE void upcr_inst_upc_all_reduceD(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, double (*func)(double, double), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 9);
    upcr_call_upc_all_reduceD(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 9);
}

extern void upcr_call_bupc_all_reduce_allD(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, double (*func)(double, double), int flags) __asm__("bupc_all_reduce_allD");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allD(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, double (*func)(double, double), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 9);
    upcr_call_bupc_all_reduce_allD(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 9);
}

extern void upcr_call_upc_all_prefix_reduceD(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, double (*func)(double, double), int flags) __asm__("upc_all_prefix_reduceD");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceD(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, double (*func)(double, double), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 9);
    upcr_call_upc_all_prefix_reduceD(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 9);
}

extern void upcr_call_upc_all_reduceLD(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long double (*func)(long double, long double), int flags) __asm__("upc_all_reduceLD");
UPCR_INLINE void upcr_inst_upc_all_reduceLD(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long double (*func)(long double, long double), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 10);
    upcr_call_upc_all_reduceLD(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 10);
}

extern void upcr_call_bupc_all_reduce_allLD(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long double (*func)(long double, long double), int flags) __asm__("bupc_all_reduce_allLD");
UPCR_INLINE void upcr_inst_bupc_all_reduce_allLD(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long double (*func)(long double, long double), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 10);
    upcr_call_bupc_all_reduce_allLD(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 10);
}

extern void upcr_call_upc_all_prefix_reduceLD(upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long double (*func)(long double, long double), int flags) __asm__("upc_all_prefix_reduceLD");
UPCR_INLINE void upcr_inst_upc_all_prefix_reduceLD(upcr_site *site, upcr_pts_t dst, upcr_pts_t src, int op, upcr_size count, upcr_size block, long double (*func)(long double, long double), int flags)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 10);
    upcr_call_upc_all_prefix_reduceLD(dst, src, op, count, block, func, flags);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPC_ALL_PREFIX_REDUCE, &dst, &src, op, count, block, (void *)func, flags, 10);
}

extern int upcr_call_bupc_atomicI_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicI_read_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(int));
    result = upcr_call_bupc_atomicI_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_read_strict(upcr_pts_t target) __asm__("bupc_atomicI_read_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_read_strict(upcr_site *site, upcr_pts_t target)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(int));
    result = upcr_call_bupc_atomicI_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(int));
    return result;
}

extern void upcr_call_bupc_atomicI_set_relaxed(upcr_pts_t target, int value) __asm__("bupc_atomicI_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicI_set_relaxed(upcr_site *site, upcr_pts_t target, int value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    upcr_call_bupc_atomicI_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
}

extern void upcr_call_bupc_atomicI_set_strict(upcr_pts_t target, int value) __asm__("bupc_atomicI_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicI_set_strict(upcr_site *site, upcr_pts_t target, int value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    upcr_call_bupc_atomicI_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
}

extern int upcr_call_bupc_atomicI_swap_relaxed(upcr_pts_t target, int value) __asm__("bupc_atomicI_swap_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_swap_relaxed(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    result = upcr_call_bupc_atomicI_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_swap_strict(upcr_pts_t target, int value) __asm__("bupc_atomicI_swap_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_swap_strict(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    result = upcr_call_bupc_atomicI_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_cswap_relaxed(upcr_pts_t target, int one, int two) __asm__("bupc_atomicI_cswap_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_cswap_relaxed(upcr_site *site, upcr_pts_t target, int one, int two)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(int));
    result = upcr_call_bupc_atomicI_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_cswap_strict(upcr_pts_t target, int one, int two) __asm__("bupc_atomicI_cswap_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_cswap_strict(upcr_site *site, upcr_pts_t target, int one, int two)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(int));
    result = upcr_call_bupc_atomicI_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchadd_relaxed(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchadd_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchadd_strict(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchadd_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchadd_strict(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_mswap_relaxed(upcr_pts_t target, int one, int two) __asm__("bupc_atomicI_mswap_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_mswap_relaxed(upcr_site *site, upcr_pts_t target, int one, int two)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    result = upcr_call_bupc_atomicI_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_mswap_strict(upcr_pts_t target, int one, int two) __asm__("bupc_atomicI_mswap_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_mswap_strict(upcr_site *site, upcr_pts_t target, int one, int two)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    result = upcr_call_bupc_atomicI_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchand_relaxed(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchand_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchand_relaxed(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchand_strict(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchand_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchand_strict(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchor_relaxed(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchor_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchor_relaxed(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchor_strict(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchor_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchor_strict(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchxor_relaxed(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchxor_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchxor_strict(upcr_pts_t target, int value) __asm__("bupc_atomicI_fetchxor_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchxor_strict(upcr_site *site, upcr_pts_t target, int value)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicI_fetchnot_relaxed");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    return result;
}

extern int upcr_call_bupc_atomicI_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicI_fetchnot_strict");
UPCR_INLINE int upcr_inst_bupc_atomicI_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    result = upcr_call_bupc_atomicI_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicUI_read_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_read_strict(upcr_pts_t target) __asm__("bupc_atomicUI_read_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_read_strict(upcr_site *site, upcr_pts_t target)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned int));
    return result;
}

extern void upcr_call_bupc_atomicUI_set_relaxed(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicUI_set_relaxed(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    upcr_call_bupc_atomicUI_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
}

extern void upcr_call_bupc_atomicUI_set_strict(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicUI_set_strict(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    upcr_call_bupc_atomicUI_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
}

extern unsigned int upcr_call_bupc_atomicUI_swap_relaxed(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_swap_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_swap_relaxed(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_swap_strict(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_swap_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_swap_strict(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_cswap_relaxed(upcr_pts_t target, unsigned int one, unsigned int two) __asm__("bupc_atomicUI_cswap_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_cswap_relaxed(upcr_site *site, upcr_pts_t target, unsigned int one, unsigned int two)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_cswap_strict(upcr_pts_t target, unsigned int one, unsigned int two) __asm__("bupc_atomicUI_cswap_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_cswap_strict(upcr_site *site, upcr_pts_t target, unsigned int one, unsigned int two)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchadd_relaxed(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchadd_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchadd_strict(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchadd_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchadd_strict(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_mswap_relaxed(upcr_pts_t target, unsigned int one, unsigned int two) __asm__("bupc_atomicUI_mswap_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_mswap_relaxed(upcr_site *site, upcr_pts_t target, unsigned int one, unsigned int two)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_mswap_strict(upcr_pts_t target, unsigned int one, unsigned int two) __asm__("bupc_atomicUI_mswap_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_mswap_strict(upcr_site *site, upcr_pts_t target, unsigned int one, unsigned int two)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchand_relaxed(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchand_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchand_relaxed(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchand_strict(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchand_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchand_strict(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchor_relaxed(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchor_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchor_relaxed(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchor_strict(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchor_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchor_strict(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchxor_relaxed(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchxor_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchxor_strict(upcr_pts_t target, unsigned int value) __asm__("bupc_atomicUI_fetchxor_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchxor_strict(upcr_site *site, upcr_pts_t target, unsigned int value)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicUI_fetchnot_relaxed");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    return result;
}

extern unsigned int upcr_call_bupc_atomicUI_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicUI_fetchnot_strict");
UPCR_INLINE unsigned int upcr_inst_bupc_atomicUI_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    unsigned int result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    result = upcr_call_bupc_atomicUI_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned int));
    return result;
}

extern long upcr_call_bupc_atomicL_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicL_read_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(long));
    result = upcr_call_bupc_atomicL_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_read_strict(upcr_pts_t target) __asm__("bupc_atomicL_read_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_read_strict(upcr_site *site, upcr_pts_t target)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(long));
    result = upcr_call_bupc_atomicL_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(long));
    return result;
}

extern void upcr_call_bupc_atomicL_set_relaxed(upcr_pts_t target, long value) __asm__("bupc_atomicL_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicL_set_relaxed(upcr_site *site, upcr_pts_t target, long value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    upcr_call_bupc_atomicL_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
}

extern void upcr_call_bupc_atomicL_set_strict(upcr_pts_t target, long value) __asm__("bupc_atomicL_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicL_set_strict(upcr_site *site, upcr_pts_t target, long value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    upcr_call_bupc_atomicL_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
}

extern long upcr_call_bupc_atomicL_swap_relaxed(upcr_pts_t target, long value) __asm__("bupc_atomicL_swap_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_swap_relaxed(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    result = upcr_call_bupc_atomicL_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_swap_strict(upcr_pts_t target, long value) __asm__("bupc_atomicL_swap_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_swap_strict(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    result = upcr_call_bupc_atomicL_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_cswap_relaxed(upcr_pts_t target, long one, long two) __asm__("bupc_atomicL_cswap_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_cswap_relaxed(upcr_site *site, upcr_pts_t target, long one, long two)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(long));
    result = upcr_call_bupc_atomicL_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_cswap_strict(upcr_pts_t target, long one, long two) __asm__("bupc_atomicL_cswap_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_cswap_strict(upcr_site *site, upcr_pts_t target, long one, long two)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(long));
    result = upcr_call_bupc_atomicL_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchadd_relaxed(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchadd_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchadd_strict(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchadd_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchadd_strict(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_mswap_relaxed(upcr_pts_t target, long one, long two) __asm__("bupc_atomicL_mswap_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_mswap_relaxed(upcr_site *site, upcr_pts_t target, long one, long two)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    result = upcr_call_bupc_atomicL_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_mswap_strict(upcr_pts_t target, long one, long two) __asm__("bupc_atomicL_mswap_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_mswap_strict(upcr_site *site, upcr_pts_t target, long one, long two)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    result = upcr_call_bupc_atomicL_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchand_relaxed(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchand_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchand_relaxed(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchand_strict(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchand_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchand_strict(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchor_relaxed(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchor_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchor_relaxed(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchor_strict(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchor_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchor_strict(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchxor_relaxed(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchxor_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchxor_strict(upcr_pts_t target, long value) __asm__("bupc_atomicL_fetchxor_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchxor_strict(upcr_site *site, upcr_pts_t target, long value)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicL_fetchnot_relaxed");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    return result;
}

extern long upcr_call_bupc_atomicL_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicL_fetchnot_strict");
UPCR_INLINE long upcr_inst_bupc_atomicL_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    result = upcr_call_bupc_atomicL_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicUL_read_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_read_strict(upcr_pts_t target) __asm__("bupc_atomicUL_read_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_read_strict(upcr_site *site, upcr_pts_t target)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(unsigned long));
    return result;
}

extern void upcr_call_bupc_atomicUL_set_relaxed(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicUL_set_relaxed(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    upcr_call_bupc_atomicUL_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
}

extern void upcr_call_bupc_atomicUL_set_strict(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicUL_set_strict(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    upcr_call_bupc_atomicUL_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
}

extern unsigned long upcr_call_bupc_atomicUL_swap_relaxed(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_swap_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_swap_relaxed(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_swap_strict(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_swap_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_swap_strict(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_cswap_relaxed(upcr_pts_t target, unsigned long one, unsigned long two) __asm__("bupc_atomicUL_cswap_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_cswap_relaxed(upcr_site *site, upcr_pts_t target, unsigned long one, unsigned long two)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_cswap_strict(upcr_pts_t target, unsigned long one, unsigned long two) __asm__("bupc_atomicUL_cswap_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_cswap_strict(upcr_site *site, upcr_pts_t target, unsigned long one, unsigned long two)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchadd_relaxed(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchadd_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchadd_strict(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchadd_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchadd_strict(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_mswap_relaxed(upcr_pts_t target, unsigned long one, unsigned long two) __asm__("bupc_atomicUL_mswap_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_mswap_relaxed(upcr_site *site, upcr_pts_t target, unsigned long one, unsigned long two)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_mswap_strict(upcr_pts_t target, unsigned long one, unsigned long two) __asm__("bupc_atomicUL_mswap_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_mswap_strict(upcr_site *site, upcr_pts_t target, unsigned long one, unsigned long two)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchand_relaxed(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchand_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchand_relaxed(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchand_strict(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchand_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchand_strict(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchor_relaxed(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchor_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchor_relaxed(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchor_strict(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchor_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchor_strict(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchxor_relaxed(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchxor_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchxor_strict(upcr_pts_t target, unsigned long value) __asm__("bupc_atomicUL_fetchxor_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchxor_strict(upcr_site *site, upcr_pts_t target, unsigned long value)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicUL_fetchnot_relaxed");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    return result;
}

extern unsigned long upcr_call_bupc_atomicUL_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicUL_fetchnot_strict");
UPCR_INLINE unsigned long upcr_inst_bupc_atomicUL_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    unsigned long result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    result = upcr_call_bupc_atomicUL_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(unsigned long));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicI32_read_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_read_strict(upcr_pts_t target) __asm__("bupc_atomicI32_read_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_read_strict(upcr_site *site, upcr_pts_t target)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT32_TYPE__));
    return result;
}

extern void upcr_call_bupc_atomicI32_set_relaxed(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicI32_set_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    upcr_call_bupc_atomicI32_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
}

extern void upcr_call_bupc_atomicI32_set_strict(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicI32_set_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    upcr_call_bupc_atomicI32_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_swap_relaxed(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_swap_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_swap_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_swap_strict(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_swap_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_swap_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_cswap_relaxed(upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two) __asm__("bupc_atomicI32_cswap_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_cswap_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_cswap_strict(upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two) __asm__("bupc_atomicI32_cswap_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_cswap_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchadd_relaxed(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchadd_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchadd_strict(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchadd_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchadd_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_mswap_relaxed(upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two) __asm__("bupc_atomicI32_mswap_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_mswap_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_mswap_strict(upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two) __asm__("bupc_atomicI32_mswap_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_mswap_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ one, __INT32_TYPE__ two)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchand_relaxed(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchand_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchand_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchand_strict(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchand_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchand_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchor_relaxed(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchor_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchor_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchor_strict(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchor_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchor_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchxor_relaxed(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchxor_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchxor_strict(upcr_pts_t target, __INT32_TYPE__ value) __asm__("bupc_atomicI32_fetchxor_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchxor_strict(upcr_site *site, upcr_pts_t target, __INT32_TYPE__ value)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicI32_fetchnot_relaxed");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    return result;
}

extern __INT32_TYPE__ upcr_call_bupc_atomicI32_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicI32_fetchnot_strict");
UPCR_INLINE __INT32_TYPE__ upcr_inst_bupc_atomicI32_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    __INT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    result = upcr_call_bupc_atomicI32_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicU32_read_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_read_strict(upcr_pts_t target) __asm__("bupc_atomicU32_read_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_read_strict(upcr_site *site, upcr_pts_t target)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT32_TYPE__));
    return result;
}

extern void upcr_call_bupc_atomicU32_set_relaxed(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicU32_set_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    upcr_call_bupc_atomicU32_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
}

extern void upcr_call_bupc_atomicU32_set_strict(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicU32_set_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    upcr_call_bupc_atomicU32_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_swap_relaxed(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_swap_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_swap_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_swap_strict(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_swap_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_swap_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_cswap_relaxed(upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two) __asm__("bupc_atomicU32_cswap_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_cswap_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_cswap_strict(upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two) __asm__("bupc_atomicU32_cswap_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_cswap_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchadd_relaxed(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchadd_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchadd_strict(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchadd_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchadd_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_mswap_relaxed(upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two) __asm__("bupc_atomicU32_mswap_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_mswap_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_mswap_strict(upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two) __asm__("bupc_atomicU32_mswap_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_mswap_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ one, __UINT32_TYPE__ two)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchand_relaxed(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchand_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchand_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchand_strict(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchand_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchand_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchor_relaxed(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchor_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchor_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchor_strict(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchor_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchor_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchxor_relaxed(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchxor_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchxor_strict(upcr_pts_t target, __UINT32_TYPE__ value) __asm__("bupc_atomicU32_fetchxor_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchxor_strict(upcr_site *site, upcr_pts_t target, __UINT32_TYPE__ value)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicU32_fetchnot_relaxed");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __UINT32_TYPE__ upcr_call_bupc_atomicU32_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicU32_fetchnot_strict");
UPCR_INLINE __UINT32_TYPE__ upcr_inst_bupc_atomicU32_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    __UINT32_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    result = upcr_call_bupc_atomicU32_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT32_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicI64_read_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_read_strict(upcr_pts_t target) __asm__("bupc_atomicI64_read_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_read_strict(upcr_site *site, upcr_pts_t target)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__INT64_TYPE__));
    return result;
}

extern void upcr_call_bupc_atomicI64_set_relaxed(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicI64_set_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    upcr_call_bupc_atomicI64_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
}

extern void upcr_call_bupc_atomicI64_set_strict(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicI64_set_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    upcr_call_bupc_atomicI64_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_swap_relaxed(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_swap_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_swap_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_swap_strict(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_swap_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_swap_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_cswap_relaxed(upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two) __asm__("bupc_atomicI64_cswap_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_cswap_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_cswap_strict(upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two) __asm__("bupc_atomicI64_cswap_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_cswap_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchadd_relaxed(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchadd_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchadd_strict(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchadd_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchadd_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_mswap_relaxed(upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two) __asm__("bupc_atomicI64_mswap_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_mswap_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_mswap_strict(upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two) __asm__("bupc_atomicI64_mswap_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_mswap_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ one, __INT64_TYPE__ two)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchand_relaxed(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchand_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchand_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchand_strict(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchand_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchand_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchor_relaxed(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchor_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchor_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchor_strict(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchor_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchor_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchxor_relaxed(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchxor_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchxor_strict(upcr_pts_t target, __INT64_TYPE__ value) __asm__("bupc_atomicI64_fetchxor_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchxor_strict(upcr_site *site, upcr_pts_t target, __INT64_TYPE__ value)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicI64_fetchnot_relaxed");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    return result;
}

extern __INT64_TYPE__ upcr_call_bupc_atomicI64_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicI64_fetchnot_strict");
UPCR_INLINE __INT64_TYPE__ upcr_inst_bupc_atomicI64_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    __INT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    result = upcr_call_bupc_atomicI64_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__INT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicU64_read_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_read_strict(upcr_pts_t target) __asm__("bupc_atomicU64_read_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_read_strict(upcr_site *site, upcr_pts_t target)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(__UINT64_TYPE__));
    return result;
}

extern void upcr_call_bupc_atomicU64_set_relaxed(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicU64_set_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    upcr_call_bupc_atomicU64_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
}

extern void upcr_call_bupc_atomicU64_set_strict(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicU64_set_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    upcr_call_bupc_atomicU64_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_swap_relaxed(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_swap_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_swap_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_swap_strict(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_swap_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_swap_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_cswap_relaxed(upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two) __asm__("bupc_atomicU64_cswap_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_cswap_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_cswap_strict(upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two) __asm__("bupc_atomicU64_cswap_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_cswap_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchadd_relaxed(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchadd_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchadd_strict(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchadd_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchadd_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_mswap_relaxed(upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two) __asm__("bupc_atomicU64_mswap_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_mswap_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_mswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_mswap_strict(upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two) __asm__("bupc_atomicU64_mswap_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_mswap_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ one, __UINT64_TYPE__ two)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_mswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchand_relaxed(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchand_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchand_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchand_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchand_strict(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchand_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchand_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchand_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_AND_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchor_relaxed(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchor_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchor_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchor_strict(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchor_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchor_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_OR_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchxor_relaxed(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchxor_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchxor_relaxed(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchxor_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchxor_strict(upcr_pts_t target, __UINT64_TYPE__ value) __asm__("bupc_atomicU64_fetchxor_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchxor_strict(upcr_site *site, upcr_pts_t target, __UINT64_TYPE__ value)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchxor_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchnot_relaxed(upcr_pts_t target) __asm__("bupc_atomicU64_fetchnot_relaxed");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchnot_relaxed(upcr_site *site, upcr_pts_t target)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchnot_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    return result;
}

extern __UINT64_TYPE__ upcr_call_bupc_atomicU64_fetchnot_strict(upcr_pts_t target) __asm__("bupc_atomicU64_fetchnot_strict");
UPCR_INLINE __UINT64_TYPE__ upcr_inst_bupc_atomicU64_fetchnot_strict(upcr_site *site, upcr_pts_t target)
{
    __UINT64_TYPE__ result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    result = upcr_call_bupc_atomicU64_fetchnot_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_XOR_, sizeof(__UINT64_TYPE__));
    return result;
}

extern float upcr_call_bupc_atomicF_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicF_read_relaxed");
UPCR_INLINE float upcr_inst_bupc_atomicF_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(float));
    result = upcr_call_bupc_atomicF_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(float));
    return result;
}

extern float upcr_call_bupc_atomicF_read_strict(upcr_pts_t target) __asm__("bupc_atomicF_read_strict");
UPCR_INLINE float upcr_inst_bupc_atomicF_read_strict(upcr_site *site, upcr_pts_t target)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(float));
    result = upcr_call_bupc_atomicF_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(float));
    return result;
}

extern void upcr_call_bupc_atomicF_set_relaxed(upcr_pts_t target, float value) __asm__("bupc_atomicF_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicF_set_relaxed(upcr_site *site, upcr_pts_t target, float value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
    upcr_call_bupc_atomicF_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
}

extern void upcr_call_bupc_atomicF_set_strict(upcr_pts_t target, float value) __asm__("bupc_atomicF_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicF_set_strict(upcr_site *site, upcr_pts_t target, float value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
    upcr_call_bupc_atomicF_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
}

extern float upcr_call_bupc_atomicF_swap_relaxed(upcr_pts_t target, float value) __asm__("bupc_atomicF_swap_relaxed");
UPCR_INLINE float upcr_inst_bupc_atomicF_swap_relaxed(upcr_site *site, upcr_pts_t target, float value)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
    result = upcr_call_bupc_atomicF_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
    return result;
}

extern float upcr_call_bupc_atomicF_swap_strict(upcr_pts_t target, float value) __asm__("bupc_atomicF_swap_strict");
UPCR_INLINE float upcr_inst_bupc_atomicF_swap_strict(upcr_site *site, upcr_pts_t target, float value)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
    result = upcr_call_bupc_atomicF_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(float));
    return result;
}

extern float upcr_call_bupc_atomicF_cswap_relaxed(upcr_pts_t target, float one, float two) __asm__("bupc_atomicF_cswap_relaxed");
UPCR_INLINE float upcr_inst_bupc_atomicF_cswap_relaxed(upcr_site *site, upcr_pts_t target, float one, float two)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(float));
    result = upcr_call_bupc_atomicF_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(float));
    return result;
}

extern float upcr_call_bupc_atomicF_cswap_strict(upcr_pts_t target, float one, float two) __asm__("bupc_atomicF_cswap_strict");
UPCR_INLINE float upcr_inst_bupc_atomicF_cswap_strict(upcr_site *site, upcr_pts_t target, float one, float two)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(float));
    result = upcr_call_bupc_atomicF_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(float));
    return result;
}

extern float upcr_call_bupc_atomicF_fetchadd_relaxed(upcr_pts_t target, float value) __asm__("bupc_atomicF_fetchadd_relaxed");
UPCR_INLINE float upcr_inst_bupc_atomicF_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, float value)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(float));
    result = upcr_call_bupc_atomicF_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(float));
    return result;
}

extern float upcr_call_bupc_atomicF_fetchadd_strict(upcr_pts_t target, float value) __asm__("bupc_atomicF_fetchadd_strict");
UPCR_INLINE float upcr_inst_bupc_atomicF_fetchadd_strict(upcr_site *site, upcr_pts_t target, float value)
{
    float result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(float));
    result = upcr_call_bupc_atomicF_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(float));
    return result;
}

extern double upcr_call_bupc_atomicD_read_relaxed(upcr_pts_t target) __asm__("bupc_atomicD_read_relaxed");
UPCR_INLINE double upcr_inst_bupc_atomicD_read_relaxed(upcr_site *site, upcr_pts_t target)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(double));
    result = upcr_call_bupc_atomicD_read_relaxed(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(double));
    return result;
}

extern double upcr_call_bupc_atomicD_read_strict(upcr_pts_t target) __asm__("bupc_atomicD_read_strict");
UPCR_INLINE double upcr_inst_bupc_atomicD_read_strict(upcr_site *site, upcr_pts_t target)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(double));
    result = upcr_call_bupc_atomicD_read_strict(target);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_GET_, sizeof(double));
    return result;
}

extern void upcr_call_bupc_atomicD_set_relaxed(upcr_pts_t target, double value) __asm__("bupc_atomicD_set_relaxed");
UPCR_INLINE void upcr_inst_bupc_atomicD_set_relaxed(upcr_site *site, upcr_pts_t target, double value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
    upcr_call_bupc_atomicD_set_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
}

extern void upcr_call_bupc_atomicD_set_strict(upcr_pts_t target, double value) __asm__("bupc_atomicD_set_strict");
UPCR_INLINE void upcr_inst_bupc_atomicD_set_strict(upcr_site *site, upcr_pts_t target, double value)
{
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
    upcr_call_bupc_atomicD_set_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
}

extern double upcr_call_bupc_atomicD_swap_relaxed(upcr_pts_t target, double value) __asm__("bupc_atomicD_swap_relaxed");
UPCR_INLINE double upcr_inst_bupc_atomicD_swap_relaxed(upcr_site *site, upcr_pts_t target, double value)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
    result = upcr_call_bupc_atomicD_swap_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
    return result;
}

extern double upcr_call_bupc_atomicD_swap_strict(upcr_pts_t target, double value) __asm__("bupc_atomicD_swap_strict");
UPCR_INLINE double upcr_inst_bupc_atomicD_swap_strict(upcr_site *site, upcr_pts_t target, double value)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
    result = upcr_call_bupc_atomicD_swap_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_SET_, sizeof(double));
    return result;
}

extern double upcr_call_bupc_atomicD_cswap_relaxed(upcr_pts_t target, double one, double two) __asm__("bupc_atomicD_cswap_relaxed");
UPCR_INLINE double upcr_inst_bupc_atomicD_cswap_relaxed(upcr_site *site, upcr_pts_t target, double one, double two)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(double));
    result = upcr_call_bupc_atomicD_cswap_relaxed(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(double));
    return result;
}

extern double upcr_call_bupc_atomicD_cswap_strict(upcr_pts_t target, double one, double two) __asm__("bupc_atomicD_cswap_strict");
UPCR_INLINE double upcr_inst_bupc_atomicD_cswap_strict(upcr_site *site, upcr_pts_t target, double one, double two)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(double));
    result = upcr_call_bupc_atomicD_cswap_strict(target, one, two);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_CSWAP_, sizeof(double));
    return result;
}

extern double upcr_call_bupc_atomicD_fetchadd_relaxed(upcr_pts_t target, double value) __asm__("bupc_atomicD_fetchadd_relaxed");
UPCR_INLINE double upcr_inst_bupc_atomicD_fetchadd_relaxed(upcr_site *site, upcr_pts_t target, double value)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(double));
    result = upcr_call_bupc_atomicD_fetchadd_relaxed(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(double));
    return result;
}

extern double upcr_call_bupc_atomicD_fetchadd_strict(upcr_pts_t target, double value) __asm__("bupc_atomicD_fetchadd_strict");
UPCR_INLINE double upcr_inst_bupc_atomicD_fetchadd_strict(upcr_site *site, upcr_pts_t target, double value)
{
    double result;
    if (upcr_inst_on)
        upcr_inst_start(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(double));
    result = upcr_call_bupc_atomicD_fetchadd_strict(target, value);
    if (upcr_inst_on)
        upcr_inst_end(site, UPCR_EVENT_UPCC_ATOMIC, &target, UPCR_OP_ADD_, sizeof(double));
    return result;
}

#endif
