// question: is the race found of a gather without synchronisation at its end with the next write of a source?
// race: 12 14
#include "races.h"
#include <upc_collective.h>

static shared int from[THREADS];
static shared [] int to[4];

int main(void)
{
    from[MYTHREAD] = MYTHREAD;
    upc_all_gather(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    if (MYTHREAD == 1)
        from[MYTHREAD] = 3;
    return pass();
}
