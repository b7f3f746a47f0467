#include <upc.h>
int f(void)
{
    shared int *p;
    p = upc_aloc(10); //~ E0300 @9 `upc_aloc` is not declared
    return *p;
}
