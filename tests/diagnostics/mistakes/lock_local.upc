#include <upc.h>
void f(void)
{
    upc_lock_t mine; //~ E0204 @16
    upc_lock(&mine);
}
