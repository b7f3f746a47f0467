// question: do barriers around a broadcast without synchronisation order it?
#include "races.h"
#include <upc_collective.h>

static shared [] int from[2];
static shared [2] int to[2 * THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        from[1] = 7;
    upc_barrier;
    upc_all_broadcast(to, from, sizeof from, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    upc_barrier;
    CHECK(to[2 * ((MYTHREAD + 1) % THREADS) + 1] == 7);
    return pass();
}
