/* <upc_relaxed.h> of UPC 1.3: every inclusion asserts the pragma. */
#pragma GCC system_header
#include "upc.h"
#pragma upc relaxed
