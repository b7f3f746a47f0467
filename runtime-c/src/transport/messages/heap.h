/* The interface between the two parts of the shared heap. */
#ifndef UPCR_MESSAGES_HEAP_H
#define UPCR_MESSAGES_HEAP_H

#include "runtime.h"

#include "transport/messages/net.h"

enum {
    NET_GROWTH = 64 << 10,  /* least number of bytes by which an arena grows */
    NET_DISCARD = 32 << 20, /* the pages of a freed block of this size are given back to the system */
};

/* Results of a request to free. */
enum net_freed { NET_FREED_NOTHING, NET_FREED, NET_NOT_SYMMETRIC };

/* ---- Blocks of one thread: heap.c ----------------------------------------------------------------------------------- */

static inline struct upcr_arena *net_local_arena(int thread)
{
    return &net_member(thread)->arena;
}

/* Gives back the free block at the end of a thread's arena, if it has at least `at_least` bytes. Pre: the arena's
   lock is held. */
void net_trim_local(int thread, uint64_t at_least);

/* ---- Pages: discard.c ------------------------------------------------------------------------------------------------ */

/* Gives back the pages of a thread's memory to the system. */
void net_discard(int thread, uint64_t offset, uint64_t bytes);

/* The same for `count` threads of this group, at the same offset in each segment, a piece at a time: whoever has the
   engine goes on with it, and calls done(of) at the end, within net_enter. Called within net_enter. */
void net_discard_later(int first, int count, uint64_t offset, uint64_t bytes, void (*done)(void *of), void *of);

/* ---- Symmetric blocks: symmetric.c ---------------------------------------------------------------------------------- */

void net_symmetric_start(void);

/* Moves the border down as far as symmetric blocks allow. */
void net_lower_border(void);

/* Frees a block if it is symmetric. Called by thread 0; by any thread where there is one group. */
enum net_freed net_free_symmetric(uint64_t offset);

#endif
