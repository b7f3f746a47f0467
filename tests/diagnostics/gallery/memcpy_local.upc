// upc_memcpy into private memory
#include <upc.h>

shared [] double *remote;
double mine[100];

void fetch(void)
{
    upc_memcpy(mine, remote, sizeof mine); //~ E0600 @16
}
