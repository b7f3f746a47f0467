// question: does a broadcast without synchronisation not race with accesses to data beside its own?
#include "races.h"
#include <upc_collective.h>

static shared [] int from[3];
static shared [3] int to[3 * THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        from[2] = 1;
    to[3 * MYTHREAD + 2] = 1;
    upc_all_broadcast(to, from, 2 * sizeof(int), UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    to[3 * MYTHREAD + 2] += 1;
    return pass();
}
