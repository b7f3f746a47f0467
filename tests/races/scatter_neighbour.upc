// question: is the race found of a scatter that synchronises with each thread with a read of a neighbour's result?
// race: 12 13
#include "races.h"
#include <upc_collective.h>

static shared [] int from[4];
static shared int to[THREADS];

int main(void)
{
    int seen;
    upc_all_scatter(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
    seen = to[(MYTHREAD + 1) % THREADS];
    CHECK(seen == 0);
    return pass();
}
