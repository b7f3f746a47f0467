/* The functions that library code calls for memory that is not mapped, in addition to those of upcr/remote.h.
   Relaxed. Pre: upcr_mapped is false for at least one of the places. Where all memory is mapped they are never
   called, and do not exist: this folder is compiled for libraries with UPCR_REMOTE only. */
#ifndef UPCR_REMOTE_INTERNAL_H
#define UPCR_REMOTE_INTERNAL_H

#include "runtime.h"

#include "atomic/cell.h"
#include "transport/transport.h"

#ifdef UPCR_REMOTE

/* Before the threads are started: reads what the user asked for. */
void upcr_remote_prepare(void) UPCR_HIDDEN;

/* Around the accesses of each thread. */
void upcr_remote_start(void) UPCR_HIDDEN;
void upcr_remote_stop(void) UPCR_HIDDEN;

/* Whether a tool may count relaxed reads or writes of memory that is not mapped without a report. Without the cache each read
   takes a message, which is reported. */
bool upcr_remote_may_count(bool is_write) UPCR_HIDDEN;

/* Called after a barrier statement. */
void upcr_remote_expect(void) UPCR_HIDDEN;

/* From now on every read goes through the cache's own code, so that the cache's events are reported. */
void upcr_remote_forget_recent(void) UPCR_HIDDEN;

#else

static inline void upcr_remote_prepare(void)
{
}

static inline void upcr_remote_start(void)
{
}

static inline void upcr_remote_stop(void)
{
}

static inline void upcr_remote_expect(void)
{
}

static inline bool upcr_remote_may_count(bool is_write)
{
    (void)is_write;
    return false;
}

static inline void upcr_remote_forget_recent(void)
{
}

#endif

void upcr_remote_get(void *dst, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_remote_put(upcr_pts_t dst, const void *src, size_t n) UPCR_HIDDEN;
void upcr_remote_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_copy(upcr_pts_t dst, upcr_pts_t src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_set(upcr_pts_t dst, unsigned char value, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch) UPCR_HIDDEN;
bool upcr_remote_test(struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_wait(struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_copy(upcr_pts_t dst, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_remote_set(upcr_pts_t dst, unsigned char value, size_t n) UPCR_HIDDEN;
void upcr_remote_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch) UPCR_HIDDEN;

#endif
