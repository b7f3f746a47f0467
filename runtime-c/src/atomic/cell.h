/* One atomic operation on memory that is mapped here. Used for a caller's own accesses, and by a transport for those of threads
   that cannot reach the memory themselves. */
#ifndef UPCR_ATOMIC_CELL_H
#define UPCR_ATOMIC_CELL_H

#include <stdbool.h>

#include "upcr/upcr.h"

/* How a type lies in memory. Several types of UPC share one. */
enum upcr_cell { UPCR_CELL_NONE, UPCR_CELL_I32, UPCR_CELL_U32, UPCR_CELL_I64, UPCR_CELL_U64, UPCR_CELL_FLOAT, UPCR_CELL_DOUBLE, UPCR_CELL_PTS };

/* The cell of an upc_type_t; NONE if atomic operations are not defined for it. */
enum upcr_cell upcr_cell_of(int type);

/* The operations defined for a cell, joined by |. */
int upcr_cell_operations(enum upcr_cell cell);

/* Bytes of a cell's value; 0 for NONE. */
size_t upcr_cell_bytes(enum upcr_cell cell);

/* Whether the hardware does these operations in one instruction that finds the cell. */
bool upcr_cell_is_native(enum upcr_cell cell, int operations);

/* Does `op` at `target` atomically with regard to other calls; relaxed. operand1, operand2: as upc_atomic_relaxed has them. fetch: where
   the value before goes, or NULL. Pre: op is one of upcr_cell_operations(cell), and every operand it needs is there. */
void upcr_cell_apply(enum upcr_cell cell, int op, void *target, const void *operand1, const void *operand2, void *fetch);

#endif
