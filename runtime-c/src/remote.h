/* What library code calls for memory that is not mapped, beside the functions of upcr/remote.h. Relaxed; pre: upcr_mapped says no to at least
   one of the places: where all memory is mapped they are never called, and do not exist. */
#ifndef UPCR_REMOTE_INTERNAL_H
#define UPCR_REMOTE_INTERNAL_H

#include "runtime.h"

#include "atomic/cell.h"
#include "transport/transport.h"

void upcr_remote_get(void *dst, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_remote_put(upcr_pts_t dst, const void *src, size_t n) UPCR_HIDDEN;
void upcr_remote_start_get(void *dst, upcr_pts_t src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_put(upcr_pts_t dst, const void *src, size_t n, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_get_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_start_put_iov(int thread, const struct upcr_iov *iov, size_t count, struct upcr_batch *batch) UPCR_HIDDEN;
bool upcr_remote_test(struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_wait(struct upcr_batch *batch) UPCR_HIDDEN;
void upcr_remote_copy(upcr_pts_t dst, upcr_pts_t src, size_t n) UPCR_HIDDEN;
void upcr_remote_set(upcr_pts_t dst, unsigned char value, size_t n) UPCR_HIDDEN;
void upcr_remote_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch) UPCR_HIDDEN;

#endif
