/* Copies between private memory and many short places of shared memory, collected so that those with affinity to one
   thread are sent together. Relaxed. */
#ifndef UPCR_IOV_H
#define UPCR_IOV_H

#include "runtime.h"

#include "transport/transport.h"

/* The iovecs of one direction. All zero except the first two members: nothing is collected. */
struct upcr_iov_list {
    bool put;                 /* from private to shared memory */
    struct upcr_batch *batch; /* waited for by upcr_finish, after upcr_iov_start */
    size_t count, capacity;
    struct upcr_iov *list;
    int *thread;  /* thread of each iovec */
    bool several; /* not all belong to the same thread */
};

/* Adds n bytes at a place with affinity to a single thread and at `bytes`; a put only reads `bytes`, until the batch
   is complete. Mapped memory is copied at once. The places of one collection do not overlap, or are only read. */
void upcr_iov_add(struct upcr_iov_list *iov, upcr_pts_t place, void *bytes, size_t n) UPCR_HIDDEN;

/* Starts everything that was added. More may be added afterwards. */
void upcr_iov_start(struct upcr_iov_list *iov) UPCR_HIDDEN;

/* Calls upcr_iov_start and frees the list. */
void upcr_iov_end(struct upcr_iov_list *iov) UPCR_HIDDEN;

#endif
