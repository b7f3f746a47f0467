/* Shadow memory where races are detected (races.h), and the question whether it has an access already. */
#ifndef UPCR_RACE_CELLS_H
#define UPCR_RACE_CELLS_H

#include "upcr/base.h"

/* One access to a granule, in 64 bits. From the lowest: its site, the clock of its thread or agent, which that is, whether it is ordered
   (strict or atomic), whether it writes, and 8 bits for the bytes of the granule. 0: no access. */
enum {
    UPCR_GRANULE = 8,
    UPCR_SITE_BITS = 20,
    UPCR_CLOCK_BITS = 22,
    UPCR_CELL_THREAD_BITS = 12,
    UPCR_CELL_CLOCK = UPCR_SITE_BITS,
    UPCR_CELL_THREAD = UPCR_CELL_CLOCK + UPCR_CLOCK_BITS,
    UPCR_CELL_ORDERED = UPCR_CELL_THREAD + UPCR_CELL_THREAD_BITS,
    UPCR_CELL_WRITES,
    UPCR_CELL_BYTES,
};
_Static_assert(UPCR_CELL_BYTES + UPCR_GRANULE == 64, "a cell has 64 bits");

/* The bits of a cell from its clock to whether it is ordered. */
#define UPCR_CELL_WHO (((upcr_u64)1 << UPCR_CELL_WRITES) - ((upcr_u64)1 << UPCR_CELL_CLOCK))

/* Each granule has this many cells. */
enum { UPCR_SLOTS = 2 };

/* The shadow memory of a thread's segment: the cells of granule g begin at element g * UPCR_SLOTS. bytes: of the segment; 0: it is not
   mapped. */
struct upcr_shadow {
    upcr_u64 *cells;
    upcr_size bytes;
};
extern struct upcr_shadow *upcr_race_shadows UPCR_HIDDEN;

/* A cell with the calling thread and its clock, and nothing else. 0: the accesses of the calling pthread do not take part. */
extern UPCR_PTHREAD_LOCAL upcr_u64 upcr_race_self UPCR_HIDDEN;

/* Returns the cell for a relaxed access of this thread to n bytes at p, all in one granule, without its site. */
UPCR_INLINE upcr_u64 upcr_race_mine(upcr_pts_t p, upcr_size n, int writes)
{
    upcr_size from = upcr_addrfield(p) % UPCR_GRANULE;
    return upcr_race_self | (upcr_u64)writes << UPCR_CELL_WRITES | (((upcr_u64)1 << n) - 1) << (UPCR_CELL_BYTES + from);
}

/* Returns whether `old` says that the same thread has made access `mine`, or one that conflicts with more, since its last
   synchronization. */
UPCR_INLINE int upcr_cell_covers(upcr_u64 old, upcr_u64 mine)
{
    const upcr_u64 site = ((upcr_u64)1 << UPCR_SITE_BITS) - 1;
    return ((old ^ mine) & (UPCR_CELL_WHO | (mine & ~site))) == 0;
}

/* Returns the cells of the granule that contains all n bytes at p. Null: it is not mapped, or there are several. */
UPCR_INLINE upcr_u64 *upcr_race_cells(upcr_pts_t p, upcr_size n)
{
    upcr_size thread = upcr_threadof(p), offset = upcr_addrfield(p);
    if (n == 0 || thread >= (upcr_size)UPCR_THREADS || offset >= upcr_race_shadows[thread].bytes || offset % UPCR_GRANULE + n > UPCR_GRANULE)
        return (upcr_u64 *)0;
    return upcr_race_shadows[thread].cells + offset / UPCR_GRANULE * UPCR_SLOTS;
}

/* Reads in critical sections (src/races/sampled.c): whether this thread's are sampled, and of each place in the source, or of several, how
   many reads it passes over until it looks at one. */
enum { UPCR_RACE_TURNS = 256 };
extern int upcr_race_samples UPCR_HIDDEN;
extern unsigned char upcr_race_turns[UPCR_RACE_TURNS] UPCR_HIDDEN;

UPCR_INLINE unsigned char *upcr_race_turn(const void *place)
{
    return &upcr_race_turns[(__UINTPTR_TYPE__)place / sizeof(void *) % UPCR_RACE_TURNS];
}

/* Returns whether some thread has accessed all bytes of `mine`, by the two cells of its granule. */
UPCR_INLINE int upcr_cells_accessed(upcr_u64 a, upcr_u64 b, upcr_u64 mine)
{
    return ((mine & ~a) >> UPCR_CELL_BYTES == 0) | ((mine & ~b) >> UPCR_CELL_BYTES == 0);
}

/* Returns whether this read need not be looked at. It has been checked then (upcr_cells_have). */
UPCR_INLINE int upcr_race_skips(const upcr_u64 *cells, upcr_u64 mine, const void *place)
{
    unsigned char *turn = upcr_race_turn(place);
    if (__builtin_expect(!upcr_race_samples, 1) || *turn == 0)
        return 0;
    if (!upcr_cells_accessed(__atomic_load_n(&cells[0], __ATOMIC_RELAXED), __atomic_load_n(&cells[1], __ATOMIC_RELAXED), mine))
        return 0;
    --*turn;
    return 1;
}

/* Returns whether nothing is left to do for a relaxed access: this thread has made it since its last synchronization. Its bytes are in an
   object then, because shadow memory is cleared where one is freed. */
UPCR_INLINE int upcr_cells_have(const upcr_u64 *cells, upcr_u64 mine)
{
    return upcr_cell_covers(__atomic_load_n(&cells[0], __ATOMIC_RELAXED), mine) || upcr_cell_covers(__atomic_load_n(&cells[1], __ATOMIC_RELAXED), mine);
}

#endif
