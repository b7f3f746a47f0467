// question: does a scatter that synchronises with all order it before a read of a neighbour's result?
#include "races.h"
#include <upc_collective.h>

static shared [] int from[4];
static shared int to[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    from[MYTHREAD] = MYTHREAD + 1;
    upc_all_scatter(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(to[next] == next + 1);
    from[next] = 0;
    return pass();
}
