// question: does a broadcast that synchronises with each thread order the threads' own data before and after it?
#include "races.h"
#include <upc_collective.h>

static shared [] int from[2];
static shared [2] int to[2 * THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        from[1] = 7;
    to[2 * MYTHREAD] = 1;
    upc_all_broadcast(to, from, sizeof from, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    CHECK(to[2 * MYTHREAD + 1] == 7);
    to[2 * MYTHREAD + 1] = 8;
    if (MYTHREAD == 0)
        from[0] = 9;
    return pass();
}
