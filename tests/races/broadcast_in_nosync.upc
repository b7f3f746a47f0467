// question: is the race found of a broadcast without synchronisation with the write of its source before it?
// race: 13 14
#include "races.h"
#include <upc_collective.h>

static shared [] int from[2];
static shared [2] int to[2 * THREADS];

int main(void)
{
    upc_barrier;
    if (MYTHREAD == 0)
        from[1] = 7;
    upc_all_broadcast(to, from, sizeof from, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
    return pass();
}
