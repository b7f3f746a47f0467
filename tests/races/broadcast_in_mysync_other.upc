// question: is the race found of a broadcast that synchronises with each thread with a write of another thread's data?
// race: 12 13
#include "races.h"
#include <upc_collective.h>

static shared [] int from[2];
static shared [2] int to[2 * THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        from[1] = 7;
    upc_all_broadcast(to, from, sizeof from, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    return pass();
}
