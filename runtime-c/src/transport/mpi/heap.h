/* The two parts of the shared heap, among themselves. */
#ifndef UPCR_MPI_HEAP_H
#define UPCR_MPI_HEAP_H

#include "runtime.h"

#include "transport/mpi/mpi.h"

enum {
    NET_GROWTH = 64 << 10,  /* by which an arena grows, at least */
    NET_DISCARD = 32 << 20, /* the pages of so much that is freed are given back to the system */
};

/* Of a request to free. */
enum net_freed { NET_FREED_NOTHING, NET_FREED, NET_NOT_SYMMETRIC };

/* ---- Blocks of one thread: heap.c ----------------------------------------------------------------------------------- */

static inline struct upcr_arena *net_local_arena(int thread)
{
    return &net_member(thread)->arena;
}

/* Gives what is free at the end of a thread's arena back, if that is so much. Pre: the arena's lock is held. */
void net_trim_local(int thread, uint64_t at_least);

/* Gives the pages of a thread's memory back to the system. */
void net_discard(int thread, uint64_t offset, uint64_t bytes);

/* ---- Symmetric blocks: symmetric.c ---------------------------------------------------------------------------------- */

void net_symmetric_start(void);

/* Moves the border down as far as symmetric blocks let it. */
void net_lower_border(void);

/* Frees a block if it is symmetric. Called by thread 0; by any thread where there is one group. */
enum net_freed net_free_symmetric(uint64_t offset);

#endif
