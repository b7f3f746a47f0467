/* The live blocks of the shared heap, to find the block that contains an address. They are kept in the side memory
   of the thread that has them (those with a part on every thread: in that of thread 0). Threads that do not have
   that memory mapped send queries there. */
#ifndef UPCR_CHECKS_BLOCKS_H
#define UPCR_CHECKS_BLOCKS_H

#include "checks/checks.h"

/* Arenas, which distinguish blocks: one whose blocks have a part on every thread, and one for each thread. */
enum { UPCR_SYMMETRIC_ARENA = 0 };

struct upcr_block {
    uint64_t offset; /* in the segment */
    uint64_t nblocks, nbytes;
    uint32_t kind; /* enum upcr_block_kind; NONE: freed */
    int32_t freed_by;
};

/* Returns the bytes of side memory that a thread with a segment of this size needs. */
size_t upcr_blocks_bytes(size_t segment_bytes);

/* Sets the offset of that part in the side memory. */
void upcr_blocks_start(size_t offset);

void upcr_block_insert(int arena, uint64_t offset, size_t nblocks, size_t nbytes, enum upcr_block_kind kind);

/* Records that this thread has freed the block. False: there is no such block (any more). */
bool upcr_block_remove(int arena, uint64_t offset);

/* Returns the last live block that begins at or before offset; NULL if there is none. This result and those below
   are valid for the next few calls. */
const struct upcr_block *upcr_block_before(int arena, uint64_t offset);

/* Returns the most recently freed block, among the last few, that contains offset; NULL if there is none. It is not
   exact under concurrency; it is for messages. */
const struct upcr_block *upcr_block_freed(int arena, uint64_t offset, int thread);

/* Returns the bytes of the block on a thread. */
uint64_t upcr_block_bytes(const struct upcr_block *block, int thread);

/* Returns a number that changes whenever a block on this thread is freed: what was known about blocks before may be
   outdated. For a block that another machine keeps, it changes when this thread next passes a barrier or uses a
   lock: an earlier use would race with the freeing. */
uint32_t upcr_blocks_generation(int thread);
void upcr_blocks_doubt(void);

#endif
