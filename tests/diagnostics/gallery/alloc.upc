// A call with too few arguments for a UPC function
#include <upc.h>

shared double *make(void)
{
    return upc_all_alloc(100 * sizeof(double)); //~ E0310 @46
}
