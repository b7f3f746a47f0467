#include <upc.h>
int f(void)
{
    upc_barrier(); //~ E0100 @17 expected an expression before `)`
    upc_barriers(1); //~ E0300 @5 `upc_barriers` is not declared
    return 1;
}
