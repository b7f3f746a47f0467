#include <upc.h>
shared int x;
void f(void)
{
    x = 1 //~ E0100 @10 expected `;` after `1`
    x = 2;
    upc_barrier;
}
