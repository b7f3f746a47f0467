// question: how many messages do the operations of a team take, whose members are machines of their own?
// threads: 8
#include "../programs/check.h"
#include <bupc_collectivev.h>
#include <upc_collective.h>

/* Of transport/transport.h. */
struct traffic { unsigned long long messages, bytes, memory, woken; };
void upcr_tp_traffic(struct traffic *traffic);

static shared long from[8 * THREADS], to[8 * THREADS];

static unsigned long long sent(void)
{
    struct traffic traffic;
    upcr_tp_traffic(&traffic);
    return traffic.messages;
}

/* The most that a member has sent since `before`, answers to others included, is no more than this. Two answers may still belong to the barrier
   before it. */
#define AT_MOST(team, before, most)                                                                                                  \
    do {                                                                                                                             \
        long messages = (long)(sent() - (before)), worst = bupc_teamv_reduce_all(long, team, messages, UPC_MAX);                      \
        if (bupc_team_rank(team) == 0 && worst > (most))                                                                             \
            fprintf(stderr, "line %d: %ld messages\n", __LINE__, worst);                                                             \
        CHECK(worst <= (most));                                                                                                      \
    } while (0)

static void count(bupc_team_t team, int levels)
{
    unsigned long long before;
    bupc_team_t part;
    bupc_team_barrier(team);
    before = sent();
    bupc_team_barrier(team);
    AT_MOST(team, before, 2 * levels + 2);
    bupc_team_barrier(team);
    before = sent();
    bupc_team_broadcast(team, to, from + bupc_team_thread(team, 0), 64, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    AT_MOST(team, before, 2 * levels + 4);
    bupc_team_barrier(team);
    before = sent();
    CHECK(bupc_teamv_reduce_all(int, team, 1, UPC_ADD) == bupc_team_size(team));
    AT_MOST(team, before, 4 * levels + 2);
    bupc_team_barrier(team);
    before = sent();
    bupc_team_gather_all(team, to, from, 8, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    AT_MOST(team, before, 10 * levels);
    bupc_team_barrier(team);
    before = sent();
    bupc_team_exchange(team, to, from, 8, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    AT_MOST(team, before, 10 * levels);
    bupc_team_barrier(team);
    before = sent();
    part = bupc_team_split(team, bupc_team_rank(team) % 2, 0);
    AT_MOST(team, before, 10 * levels);
    bupc_team_free(part);
}

int main(void)
{
    bupc_team_t half;
    bupc_team_barrier(BUPC_TEAM_ALL);
    count(BUPC_TEAM_ALL, 3);
    half = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD % 2, 0);
    count(half, 2);
    bupc_team_free(half);
    return pass();
}
