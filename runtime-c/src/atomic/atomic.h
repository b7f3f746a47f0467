/* Atomic operations on any shared place, on which the library functions for users are built. */
#ifndef UPCR_ATOMIC_H
#define UPCR_ATOMIC_H

#include "atomic/cell.h"

/* The arguments are those of upcr_cell_apply. Relaxed. */
void upcr_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

/* The same as a strict access: ordered with all accesses before and after. */
void upcr_atomic_ordered(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

#endif
