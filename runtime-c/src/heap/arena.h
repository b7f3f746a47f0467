/* A heap inside shared memory. It uses two-level segregated fit with boundary tags, so that allocation and release
   take constant time and neighbours coalesce at once. Everything is an offset from the segment's start; no pointer
   is stored, so each process may map the segment at any address. An arena grows at one end and gives space back at
   the same end. */
#ifndef UPCR_ARENA_H
#define UPCR_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wait.h"

enum {
    UPCR_ARENA_ROWS = 40, /* powers of two above the linear row */
    UPCR_ARENA_COLUMNS = 16,
    UPCR_ARENA_HEADER = 16, /* bytes in front of every block's payload */
};

struct upcr_arena {
    struct upcr_mutex lock; /* taken by the caller around every function below */
    uint64_t low, high;     /* blocks lie in [low, high); a closing header sits at high */
    uint64_t granule;       /* power of two: block sizes are multiples, payloads are aligned to it */
    bool downward;          /* grows at its low end */
    uint64_t in_use;        /* bytes of allocated blocks, headers included */
    uint64_t row_map;
    uint16_t column_map[UPCR_ARENA_ROWS];
    uint64_t free_list[UPCR_ARENA_ROWS][UPCR_ARENA_COLUMNS];
};

/* Initialises an empty arena whose blocks begin (or, downward, end) at offset `at`. Pre: the control block is zero,
   `at` + header is aligned to granule, and the 16 bytes at `at` belong to the arena. */
void upcr_arena_init(struct upcr_arena *arena, char *segment, uint64_t at, uint64_t granule, bool downward);

/* Returns the offset of a payload of `bytes` bytes aligned to `align` (power of two), or 0 if no free block
   suffices. */
uint64_t upcr_arena_alloc(struct upcr_arena *arena, char *segment, uint64_t bytes, uint64_t align);

/* Returns the most by which the arena must grow so that the same request cannot fail. */
uint64_t upcr_arena_need(const struct upcr_arena *arena, uint64_t bytes, uint64_t align);

/* Extends the arena by `bytes` (a multiple of the granule) at the growing end. */
void upcr_arena_grow(struct upcr_arena *arena, char *segment, uint64_t bytes);

/* Returns the bytes of the allocated block whose payload begins at offset; 0 if there is no such block. */
uint64_t upcr_arena_payload(const struct upcr_arena *arena, char *segment, uint64_t offset);

/* Frees a block. False if offset is not the payload of an allocated block. */
bool upcr_arena_free(struct upcr_arena *arena, char *segment, uint64_t offset);

/* Gives back a free block of at least `at_least` bytes at the growing end. Returns its size, by which the arena has
   shrunk, or 0. */
uint64_t upcr_arena_trim(struct upcr_arena *arena, char *segment, uint64_t at_least);

/* The block that contains an offset, for reports: start and size of its payload, and whether it is free. It is
   looked up without the lock, so what another thread is changing may be missed. False if there is none. */
struct upcr_arena_block {
    uint64_t start, bytes;
    bool free;
};
bool upcr_arena_find(const struct upcr_arena *arena, char *segment, uint64_t offset, struct upcr_arena_block *found);

#endif
