/* The live blocks of the shared heap, in memory that all threads share, for the question "which block is this address in?". */
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

/* Maps the table. Called once, before the threads are started. */
void upcr_blocks_prepare(const struct upcr_plan *plan);

void upcr_block_insert(int arena, uint64_t offset, size_t nblocks, size_t nbytes, enum upcr_block_kind kind);

/* The block was freed by this thread. False: it was not there (any more). */
bool upcr_block_remove(int arena, uint64_t offset);

/* The last live block that begins at or before offset; NULL if there is none. */
const struct upcr_block *upcr_block_before(int arena, uint64_t offset);

/* The block most recently freed among the last few that contains offset; NULL if there is none. Not exact under concurrency: for messages. */
const struct upcr_block *upcr_block_freed(int arena, uint64_t offset, int thread);

/* Bytes of the block on a thread. */
uint64_t upcr_block_bytes(const struct upcr_block *block, int thread);

/* Changes whenever a block is freed: what was learnt about blocks before may not hold any more. */
uint32_t upcr_blocks_generation(void);

#endif
