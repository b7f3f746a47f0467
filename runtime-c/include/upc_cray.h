/* <upc_cray.h>: programs for the Cray compiler include it for what <upc.h> and its libraries have here. */
#pragma GCC system_header
#ifndef UPCR_UPC_CRAY_H
#define UPCR_UPC_CRAY_H

#include "upc.h"
#include "upc_castable.h"
#include "upc_collective.h"
#include "upc_nb.h"

#endif
