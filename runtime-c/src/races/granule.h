/* The granule of an access that lies in one and whose shadow memory is mapped: almost all do. */
#ifndef UPCR_RACES_GRANULE_H
#define UPCR_RACES_GRANULE_H

#include "races/detector.h"

/* What its cells hold, and the cell for this access, without its site. */
struct upcr_granule {
    uint64_t *cells, old[UPCR_SLOTS], mine;
};

static inline void upcr_granule_read(struct upcr_granule *g)
{
    for (int i = 0; i < UPCR_SLOTS; i++)
        g->old[i] = __atomic_load_n(&g->cells[i], __ATOMIC_RELAXED);
}

static inline void upcr_granule_write(const struct upcr_granule *g, int slot, uint64_t cell)
{
    __atomic_store_n(&g->cells[slot], cell, __ATOMIC_RELAXED);
}

/* Returns whether some thread has accessed all its bytes. */
static inline bool upcr_granule_is_accessed(const struct upcr_granule *g)
{
    return upcr_cells_accessed(g->old[0], g->old[1], g->mine);
}

/* Returns whether a cell has the same access to other bytes, as when a loop goes through small elements. */
static inline bool upcr_granule_is_near(const struct upcr_granule *g, int slot)
{
    const uint64_t same = UPCR_CELL_WHO | (uint64_t)1 << UPCR_CELL_WRITES;
    return ((g->old[slot] ^ g->mine) & same) == 0;
}

/* Returns whether a cell is of this thread. */
static inline bool upcr_granule_is_own(const struct upcr_granule *g, int slot)
{
    const uint64_t who = (((uint64_t)1 << UPCR_CELL_THREAD_BITS) - 1) << UPCR_CELL_THREAD;
    return ((g->old[slot] ^ g->mine) & who) == 0;
}

/* Extends such a cell by the bytes of the access if no race is possible: the other cell is empty, or of this thread. */
static inline bool upcr_granule_extends(const struct upcr_granule *g)
{
    int slot = upcr_granule_is_near(g, 0) ? 0 : 1;
    if ((slot == 1 && !upcr_granule_is_near(g, 1)) || (g->old[1 - slot] != 0 && !upcr_granule_is_own(g, 1 - slot)))
        return false;
    upcr_granule_write(g, slot, g->old[slot] | (g->mine >> UPCR_CELL_BYTES << UPCR_CELL_BYTES));
    return true;
}

/* Returns whether the two accesses race if nothing orders them. */
static inline bool upcr_cell_conflicts(uint64_t a, uint64_t b)
{
    const uint64_t ordered = (uint64_t)1 << UPCR_CELL_ORDERED, writes = (uint64_t)1 << UPCR_CELL_WRITES;
    return ((a & b) >> UPCR_CELL_BYTES != 0) & (((a | b) & writes) != 0) & ((a & b & ordered) == 0);
}

static inline bool upcr_cell_is_before(uint64_t cell, const uint32_t *known)
{
    return upcr_cell_clock(cell) <= known[upcr_cell_thread(cell)];
}

/* Returns the cell that the access replaces at once, as when a loop makes it again after a barrier, or another thread after a lock; -1: that
   must be found out. Nothing races later with that cell that does not race with this access, too, and this access races with neither. Almost
   all accesses come here and both cells are equally likely, so there is no jump between the loads and the result. */
static inline int upcr_granule_again(const struct upcr_granule *g)
{
    const uint64_t more = ~(((uint64_t)1 << UPCR_CELL_WRITES) - 1);
    const uint32_t *known = upcr_race_known;
    uint64_t a = g->old[0], b = g->old[1], mine = g->mine;
    unsigned a_before = upcr_cell_is_before(a, known), b_before = upcr_cell_is_before(b, known);
    unsigned no_race = (a_before | !upcr_cell_conflicts(a, mine)) & (b_before | !upcr_cell_conflicts(b, mine));
    unsigned is_new = (((a ^ mine) & UPCR_CELL_WHO) != 0) & (((b ^ mine) & UPCR_CELL_WHO) != 0);
    unsigned a_less = (a != 0) & a_before & ((a & ~mine & more) == 0), b_less = (b != 0) & b_before & ((b & ~mine & more) == 0);
    unsigned found = no_race & is_new & (a_less | b_less) & upcr_granule_is_accessed(g);
    return found == 0 ? -1 : (int)!a_less;
}

/* Records the access of this thread at `site`, and reports what it races with. */
void upcr_granule_record(const struct upcr_granule *g, upcr_pts_t p, uint32_t site);

#endif
