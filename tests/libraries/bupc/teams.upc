// question: do the members of a team, and only they, synchronize and move data by its ranks, also in teams of teams?
// threads: 1 2 5 6
#include "../../programs/check.h"
#include <bupc_collectivev.h>
#include <string.h>
#include <upc_collective.h>

enum { BLOCK = 300 };

static shared int rounds[THREADS];

static char byte_of(int from, int to, int i)
{
    return (char)(from * 31 + to * 7 + i);
}

static void fill(char *bytes, int me, int size, size_t n)
{
    for (int to = 0; to < size; to++)
        for (size_t i = 0; i < n; i++)
            bytes[(size_t)to * n + i] = byte_of(me, to, (int)i);
}

/* Places at one offset on all threads. */
static shared char *sent, *arrived;

static void exchange(bupc_team_t team, size_t n)
{
    int size = bupc_team_size(team), rank = bupc_team_rank(team);
    char *from = (char *)(sent + MYTHREAD), *to = (char *)(arrived + MYTHREAD);
    fill(from, rank, size, n);
    memset(to, 0, BLOCK);
    bupc_coll_wait(bupc_team_exchange(team, arrived + MYTHREAD, sent + MYTHREAD, n, 0));
    for (int other = 0; other < size; other++)
        for (size_t i = 0; i < n; i++)
            CHECK(to[(size_t)other * n + i] == byte_of(other, rank, (int)i));
    bupc_team_gather_all(team, arrived, sent, n, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
    for (int other = 0; other < size; other++)
        for (size_t i = 0; i < n; i++)
            CHECK(to[(size_t)other * n + i] == byte_of(other, 0, (int)i));
    for (int root = 0; root < size; root++) {
        int thread = bupc_team_thread(team, root);
        memset(to, 0, n);
        bupc_team_broadcast(team, arrived, sent + thread, n, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        for (size_t i = 0; i < n; i++)
            CHECK(to[i] == byte_of(root, 0, (int)i));
    }
}

static void values(bupc_team_t team)
{
    int size = bupc_team_size(team), rank = bupc_team_rank(team);
    for (int i = 0; i < 20; i++) {
        CHECK(bupc_teamv_reduce_all(int, team, rank + i, UPC_ADD) == size * (size - 1) / 2 + size * i);
        CHECK(bupc_teamv_reduce_all(double, team, 0.5 * rank, UPC_MAX) == 0.5 * (size - 1));
    }
}

/* No member leaves the barrier before all have come; other teams are elsewhere. */
static void barriers(bupc_team_t team)
{
    int size = bupc_team_size(team);
    for (int i = 1; i <= 50; i++) {
        rounds[MYTHREAD] = i;
        bupc_team_barrier(team);
        for (int other = 0; other < size; other++)
            CHECK(rounds[bupc_team_thread(team, other)] == i);
        bupc_team_barrier(team);
    }
}

static void all_of(bupc_team_t team)
{
    barriers(team);
    values(team);
    exchange(team, 1);
    exchange(team, 40);
    exchange(team, BLOCK);
}

int main(void)
{
    bupc_team_t parts, reversed, pairs;
    sent = (shared char *)upc_all_alloc(THREADS, THREADS * BLOCK);
    arrived = (shared char *)upc_all_alloc(THREADS, THREADS * BLOCK);
    CHECK(bupc_team_size(BUPC_TEAM_ALL) == THREADS && bupc_team_rank(BUPC_TEAM_ALL) == MYTHREAD);
    all_of(BUPC_TEAM_ALL);

    /* Even and odd threads; the latter do less. */
    parts = bupc_team_split(BUPC_TEAM_ALL, MYTHREAD % 2, MYTHREAD);
    CHECK(bupc_team_size(parts) == (THREADS + 1 - MYTHREAD % 2) / 2 && bupc_team_rank(parts) == MYTHREAD / 2);
    if (MYTHREAD % 2 == 0)
        all_of(parts);
    all_of(parts);

    /* Ranks by relrank, and by the parent's where that is equal. */
    reversed = bupc_team_split(BUPC_TEAM_ALL, 7, -MYTHREAD);
    CHECK(bupc_team_size(reversed) == THREADS && bupc_team_rank(reversed) == THREADS - 1 - MYTHREAD && bupc_team_thread(reversed, 0) == THREADS - 1);
    pairs = bupc_team_split(reversed, bupc_team_rank(reversed) / 2, 0);
    CHECK(bupc_team_rank(pairs) == bupc_team_rank(reversed) % 2);
    all_of(pairs);
    all_of(reversed);
    bupc_team_free(pairs);
    bupc_team_free(parts);
    all_of(reversed);
    bupc_team_free(reversed);
    return pass();
}
