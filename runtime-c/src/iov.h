/* Copies between private memory and many short places of shared memory, collected so that those with affinity to one thread travel
   together. Relaxed. */
#ifndef UPCR_IOV_H
#define UPCR_IOV_H

#include "runtime.h"

#include "transport/transport.h"

/* All of one direction. All zero but for the first two: nothing is collected. */
struct upcr_iov_list {
    bool put;                   /* from private to shared memory */
    struct upcr_batch *batch;   /* waited for by upcr_finish, after upcr_iov_start */
    size_t count, capacity;
    struct upcr_iov *list;
    int *thread;                /* of each piece */
    bool several;               /* not all of one thread */
};

/* n bytes at a place with affinity to a single thread and at `bytes`, which a put only reads, until the batch is done. Mapped memory is copied at
   once. Places of one collection do not overlap, or are only read. */
void upcr_iov_add(struct upcr_iov_list *iov, upcr_pts_t place, void *bytes, size_t n) UPCR_HIDDEN;

/* Everything that was added has been started when this returns; more may be added. */
void upcr_iov_start(struct upcr_iov_list *iov) UPCR_HIDDEN;

/* upcr_iov_start, and the list is given back. */
void upcr_iov_end(struct upcr_iov_list *iov) UPCR_HIDDEN;

#endif
