/* <upc_strict.h> of UPC 1.3: every inclusion asserts the pragma. */
#include <upc.h>
#pragma upc strict
