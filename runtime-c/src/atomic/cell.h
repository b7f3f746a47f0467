/* One atomic operation on memory that is mapped in this process. Used for a caller's own accesses, and by a transport for those of threads
   that cannot access the memory themselves. */
#ifndef UPCR_ATOMIC_CELL_H
#define UPCR_ATOMIC_CELL_H

#include <stdbool.h>

#include "upcr/upcr.h"

/* Returns the cell of an upc_type_t; NONE if atomic operations are not defined for it. */
enum upcr_cell upcr_cell_of(int type);

/* Returns the operations defined for a cell, joined by |. */
int upcr_cell_operations(enum upcr_cell cell);

/* Returns the bytes of a cell's value; 0 for NONE. */
size_t upcr_cell_bytes(enum upcr_cell cell);

/* Returns whether the hardware executes these operations in one instruction at that address. */
bool upcr_cell_is_native(enum upcr_cell cell, int operations);

/* Executes `op` at `target` atomically with regard to other calls; relaxed. operand1, operand2: as for upc_atomic_relaxed. fetch: receives
   the previous value, or NULL. Pre: op is one of upcr_cell_operations(cell), and every operand that it needs is given. */
void upcr_cell_apply(enum upcr_cell cell, int op, void *target, const void *operand1, const void *operand2, void *fetch);

#endif
