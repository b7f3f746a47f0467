/* The operations of <upc_atomic.h> in a header of their own, so that the runtime, which is written in C, can include them too. */
#ifndef UPCR_ATOMIC_OPS_H
#define UPCR_ATOMIC_OPS_H

/* Operations beside those of <upc_types.h>; every combination by | is distinct. */
#define UPC_GET   512
#define UPC_SET   1024
#define UPC_CSWAP 2048
#define UPC_SUB   4096
#define UPC_INC   8192
#define UPC_DEC   16384

#endif
