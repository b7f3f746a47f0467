/* Data that goes from one thread to all, or from all to one, where not all memory is mapped: between groups, in binomial trees of
   upcr_tp_exchange, so that no thread sends or receives more than about log2(groups) messages (twice as many where a large broadcast is cut
   into parts). One thread of each group acts for it, the root for its own; within a group data moves by loads and stores.

   Every function is collective. Before it all threads of a group have written what it reads of theirs; what it writes may be read by the others
   of the group after the next barrier. */
#ifndef UPCR_TREE_H
#define UPCR_TREE_H

#include "runtime.h"

/* The n bytes at buf on thread `root`, which others need not give, appear at dst, an offset of every thread's segment. */
void upcr_tree_broadcast(int root, const void *buf, upcr_pts_t dst, size_t n);

/* Block number t of the THREADS blocks of n bytes at `blocks` on thread `root` appears at dst on thread t. */
void upcr_tree_scatter(int root, const void *blocks, upcr_pts_t dst, size_t n);

/* The n bytes at src on thread t become block number t of those at `blocks` on thread `root`. */
void upcr_tree_gather(int root, void *blocks, upcr_pts_t src, size_t n);

/* The n bytes at src on thread t become block number t of the THREADS blocks at dst on every thread. */
void upcr_tree_gather_all(upcr_pts_t dst, upcr_pts_t src, size_t n);

/* Block number t of those at src on thread f becomes block number f of those at dst on thread t: in about log2(groups) messages, in which
   bytes travel log2(groups) / 2 times. */
void upcr_tree_exchange(upcr_pts_t dst, upcr_pts_t src, size_t n);

/* Brings `state` of n bytes of all groups together on thread 0, by add(context, state, other, n), which is called with those of groups in their
   order. Called by the first thread of each group, and by no other. */
void upcr_tree_reduce(void *state, size_t n, void (*add)(void *context, void *state, const void *other), void *context);

/* Brings the states `own` of all groups before this one together in `before`, which is as `add` wants it to begin with, in the same way. */
void upcr_tree_scan(const void *own, void *before, size_t n, void (*add)(void *context, void *state, const void *other), void *context);

/* Whether this thread acts for its group where no thread is the root. */
bool upcr_tree_takes_part(void);

#endif
