// question: is the race found of an exchange without synchronisation at its end with the next write of a source?
// race: 10 11
#include "races.h"
#include <upc_collective.h>

static shared [4] char from[4 * THREADS], to[4 * THREADS];

int main(void)
{
    upc_all_exchange(to, from, 1, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    from[4 * MYTHREAD] = 1;
    return pass();
}
