#include <upc.h>
void f(void)
{
    upc_barrier //~ E0100 @16 expected `;` after `upc_barrier`
    int i;
    i = 0;
}
