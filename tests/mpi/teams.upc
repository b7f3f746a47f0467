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

enum operation { BARRIER, BROADCAST, REDUCE, GATHER, EXCHANGE, SPLIT };

static void perform(bupc_team_t team, enum operation operation)
{
    const int flags = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;
    switch (operation) {
    case BARRIER:
        bupc_team_barrier(team);
        break;
    case BROADCAST:
        bupc_team_broadcast(team, to, from + bupc_team_thread(team, 0), 64, flags);
        break;
    case REDUCE:
        CHECK(bupc_teamv_reduce_all(int, team, 1, UPC_ADD) == bupc_team_size(team));
        break;
    case GATHER:
        bupc_team_gather_all(team, to, from, 8, flags);
        break;
    case EXCHANGE:
        bupc_team_exchange(team, to, from, 8, flags);
        break;
    case SPLIT:
        bupc_team_free(bupc_team_split(team, bupc_team_rank(team) % 2, 0));
        break;
    }
}

/* The most that a member sends in an operation, answers to others included. Answers to the operation before it may come into the count, so the least
   of several tries is taken; it is the same on all members. */
static void at_most(bupc_team_t team, enum operation operation, long most)
{
    long least = most + 1;
    for (int i = 0; i < 10 && least > most; i++) {
        bupc_team_barrier(team);
        unsigned long long before = sent();
        perform(team, operation);
        long worst = bupc_teamv_reduce_all(long, team, (long)(sent() - before), UPC_MAX);
        if (i == 0 || worst < least)
            least = worst;
    }
    if (bupc_team_rank(team) == 0 && least > most)
        fprintf(stderr, "operation %d: %ld messages\n", operation, least);
    CHECK(least <= most);
}

static void count(bupc_team_t team, int levels)
{
    at_most(team, BARRIER, 2 * levels + 2);
    at_most(team, BROADCAST, 2 * levels + 4);
    at_most(team, REDUCE, 4 * levels + 2);
    at_most(team, GATHER, 10 * levels);
    at_most(team, EXCHANGE, 10 * levels);
    /* With the barrier of its end. */
    at_most(team, SPLIT, 12 * levels);
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
