// question: does a gather that synchronises with each thread order it before the next write of a thread's own source?
#include "races.h"
#include <upc_collective.h>

static shared int from[THREADS];
static shared [] int to[4];

int main(void)
{
    int i;
    from[MYTHREAD] = MYTHREAD;
    upc_all_gather(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    from[MYTHREAD] = 3;
    if (MYTHREAD == 0)
        for (i = 0; i < THREADS; i++)
            CHECK(to[i] == i);
    return pass();
}
