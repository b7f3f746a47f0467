/* The operations of <upc_collective.h> in a header of their own, so that the runtime, which is written in C, can include them too. */
#ifndef UPCR_COLLECTIVE_OPS_H
#define UPCR_COLLECTIVE_OPS_H

/* Operations beside those of <upc_types.h> and <upc_atomic.h>: the caller's function, commutative or not. */
#define UPC_FUNC         32768
#define UPC_NONCOMM_FUNC 65536

#endif
