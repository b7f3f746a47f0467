/* <upc_cray.h>: programs for the Cray compiler include it for what <upc.h> and its libraries have here. */
#pragma GCC system_header
#ifndef UPCR_UPC_CRAY_H
#define UPCR_UPC_CRAY_H

#include "upc.h"
#include "upc_castable.h"
#include "upc_collective.h"
#include "upc_nb.h"

/* Cray's atomic operations on `shared long`, which order no other accesses. */
#define _amo_aadd_upc(ptr, value)          ((void)bupc_atomicL_fetchadd_relaxed((ptr), (value)))
#define _amo_afadd_upc(ptr, value)         bupc_atomicL_fetchadd_relaxed((ptr), (value))
#define _amo_acswap_upc(ptr, old, new_one) bupc_atomicL_cswap_relaxed((ptr), (old), (new_one))

#endif
