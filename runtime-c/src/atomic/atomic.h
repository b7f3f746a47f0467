/* Atomic operations on any shared place, below the library functions that users call. */
#ifndef UPCR_ATOMIC_H
#define UPCR_ATOMIC_H

#include "atomic/cell.h"

/* Arguments as upcr_cell_apply has them. Relaxed. */
void upcr_atomic(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

/* The same as a strict access: ordered with everything before and after. */
void upcr_atomic_ordered(enum upcr_cell cell, int op, upcr_pts_t target, const void *operand1, const void *operand2, void *fetch);

#endif
