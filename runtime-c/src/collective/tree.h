/* Data that goes from one thread to all, or from all to one, where not all memory is mapped. It moves between groups in
   binomial trees of upcr_tp_exchange, so that no thread sends or receives more than about log2(groups) messages (twice
   that number if a large broadcast is cut into parts). One thread of each group acts for it; the root acts for its own
   group. Within a group data moves by loads and stores.

   Every function is collective. Before the call all threads of a group have written the data that it reads from
   them; what it writes may be read by the other threads of the group after the next barrier. */
#ifndef UPCR_TREE_H
#define UPCR_TREE_H

#include "runtime.h"

/* Copies the n bytes at buf on thread `root`, which others need not pass, to dst, an offset of every thread's
   segment. */
void upcr_tree_broadcast(int root, const void *buf, upcr_pts_t dst, size_t n);

/* Copies block number t of the THREADS blocks of n bytes at `blocks` on thread `root` to dst on thread t. */
void upcr_tree_scatter(int root, const void *blocks, upcr_pts_t dst, size_t n);

/* Copies the n bytes at src on thread t to block number t of those at `blocks` on thread `root`. */
void upcr_tree_gather(int root, void *blocks, upcr_pts_t src, size_t n);

/* Copies the n bytes at src on thread t to block number t of the THREADS blocks at dst on every thread. */
void upcr_tree_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t n);

/* Size of a block up to which an exchange passes blocks on, so that it takes about log2(groups) messages, in which each
   byte is sent log2(groups) / 2 times on average. */
enum { UPCR_TREE_EXCHANGE_BYTES = 1 << 8 };

/* Copies block number t of those at src on thread f to block number f of those at dst on thread t. Where each thread is
   a group, longer blocks go from thread to thread, one after the other; else they should be copied by other means. */
void upcr_tree_exchange(upcr_pts_t dst, upcr_pts_t src, size_t n);

/* Combines `state`, of n bytes, of all groups on thread 0, by add(context, state, other, n), which is called with
   the states of groups in their order. Called by the first thread of each group, and by no other. */
void upcr_tree_reduce(void *state, size_t n, void (*add)(void *context, void *state, const void *other), void *context);

/* Combines the states `own` of all groups before this one in `before`, in the same way. On entry `before` is an
   initial state for add. */
void upcr_tree_scan(const void *own, void *before, size_t n, void (*add)(void *context, void *state, const void *other), void *context);

/* Returns whether this thread acts for its group where no thread is the root. */
bool upcr_tree_takes_part(void);

#endif
