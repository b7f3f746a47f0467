// A barrier between upc_notify and upc_wait
#include <upc.h>

int main(void)
{
    upc_notify;
    upc_barrier; //~ W0710 @5
    return 0;
}
