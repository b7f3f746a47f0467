#include <upc.h>
void f(void)
{
    upc_fence(); //~ E0100 @14 expected `;` before `(`
}
