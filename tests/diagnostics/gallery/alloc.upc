#include <upc.h>

shared double *make(void)
{
    return upc_all_alloc(100 * sizeof(double)); //~ E0310 @46
}
