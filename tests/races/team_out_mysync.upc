// question: is the race found of a team's broadcast that synchronises with each member with a read of another member's result?
// threads: 4
// race: 13 14
#include "races.h"
#include <upc_collective.h>

static shared int from[THREADS], to[THREADS];

int main(void)
{
    int seen;
    bupc_team_t pair = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD / 2, 0);
    bupc_team_broadcast(pair, to, from + bupc_team_thread(pair, 0), sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
    seen = to[bupc_team_thread(pair, 1)];
    upc_barrier; /* Teams post their semaphores again when they are freed, which might tell members of the read. */
    CHECK(seen == 0);
    bupc_team_free(pair);
    return pass();
}
