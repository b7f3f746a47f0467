// question: does the barrier of a team, as its broadcast and its split, order the accesses of its members?
// threads: 4
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS], from[THREADS], to[THREADS];

/* The members of a team read what another one of them has written. */
static void check_neighbour(bupc_team_t team)
{
    int rank = bupc_team_rank(team), next = bupc_team_thread(team, (rank + 1) % bupc_team_size(team));
    a[MYTHREAD] += 1;
    bupc_team_barrier(team);
    CHECK(a[next] >= 1);
    bupc_team_barrier(team);
}

int main(void)
{
    bupc_team_t row, column;
    a[MYTHREAD] = 0;
    row = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD / 2, 0);
    column = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD % 2, 0);
    check_neighbour(row);
    check_neighbour(column);
    from[MYTHREAD] = MYTHREAD;
    bupc_team_broadcast(row, to, from + bupc_team_thread(row, 1), sizeof(int), 0);
    CHECK(to[bupc_team_thread(row, 0)] == bupc_team_thread(row, 1));
    bupc_team_free(column);
    bupc_team_free(row);
    return pass();
}
