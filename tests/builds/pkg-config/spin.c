/* C that calls the runtime: compiled by the C compiler, with the folder that pkg-config names. */
#include <bupc_extern.h>
int spin(void)
{
    return bupc_extern_mythread();
}
