// question: is the race found of a broadcast without synchronisation at its end with a read of its result?
// race: 12 13
#include "races.h"
#include <upc_collective.h>

static shared [] int from[2];
static shared [2] int to[2 * THREADS];

int main(void)
{
    int seen;
    upc_all_broadcast(to, from, sizeof from, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    seen = to[2 * MYTHREAD];
    CHECK(seen == 0);
    return pass();
}
