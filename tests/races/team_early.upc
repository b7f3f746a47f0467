// question: is the race found of two members of a team between whom only the barrier of another team stands?
// threads: 4
// race: 15 17
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS];

int main(void)
{
    int seen;
    bupc_team_t row = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD / 2, 0);
    bupc_team_t column = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD % 2, 0);
    int above = bupc_team_thread(column, 1 - bupc_team_rank(column));
    a[MYTHREAD] = MYTHREAD;
    bupc_team_barrier(row);
    seen = a[above];
    upc_barrier; /* Teams post their semaphores again when they are freed, which might tell members of the read. */
    CHECK(seen >= 0);
    bupc_team_free(column);
    bupc_team_free(row);
    return pass();
}
