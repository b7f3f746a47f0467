/* The live blocks of the shared heap, for the question "which block is this address in?". They are kept in the side memory of the thread that
   has them (those with a part on every thread: of thread 0), and asked for there by threads that do not have it mapped. */
#ifndef UPCR_CHECKS_BLOCKS_H
#define UPCR_CHECKS_BLOCKS_H

#include "checks/checks.h"

/* Arenas, by which blocks are told apart: one whose blocks have a part on every thread, and one for each thread. */
enum { UPCR_SYMMETRIC_ARENA = 0 };

struct upcr_block {
    uint64_t offset; /* in the segment */
    uint64_t nblocks, nbytes;
    uint32_t kind; /* enum upcr_block_kind; NONE: freed */
    int32_t freed_by;
};

/* What a thread with a segment of so many bytes needs of side memory. */
size_t upcr_blocks_bytes(size_t segment_bytes);

/* That part begins so many bytes into the side memory. */
void upcr_blocks_start(size_t offset);

void upcr_block_insert(int arena, uint64_t offset, size_t nblocks, size_t nbytes, enum upcr_block_kind kind);

/* The block was freed by this thread. False: it was not there (any more). */
bool upcr_block_remove(int arena, uint64_t offset);

/* The last live block that begins at or before offset; NULL if there is none. What is returned here and below holds for the next few calls. */
const struct upcr_block *upcr_block_before(int arena, uint64_t offset);

/* The block most recently freed among the last few that contains offset; NULL if there is none. Not exact under concurrency: for messages. */
const struct upcr_block *upcr_block_freed(int arena, uint64_t offset, int thread);

/* Bytes of the block on a thread. */
uint64_t upcr_block_bytes(const struct upcr_block *block, int thread);

/* Changes whenever a block on this thread is freed: what was learnt about blocks before may not hold any more. Of a block that another machine
   keeps it changes when this thread next passes a barrier or uses a lock: a use before that would be a race with its end. */
uint32_t upcr_blocks_generation(int thread);
void upcr_blocks_doubt(void);

#endif
