// A shared object in the place of its address
#include <upc.h>
#include <upc_collective.h>

shared int first;
shared int all[THREADS];

int main(void)
{
    upc_all_broadcast(all, first, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); //~ E0607 @28
    return 0;
}
