#include <upc.h>
int f(void)
{
    upc_barier; //~ E0300 @5 `upc_barier` is not declared
    return 1;
}
