// question: do random relaxed accesses of several threads give what a plain array would, between one synchronization and the next?
// threads: 2 3
/* In a round each cell of the board belongs to one thread, which alone writes it, or to nobody, and then all may read it. Every thread plays its own moves
   for real and everybody's on a plain array. */
#include "../programs/check.h"
#include <stdlib.h>
#include <string.h>
#include <upc_relaxed.h>

enum { BLOCK = 30000, CELL_MOST = 700, ROUNDS = 6, MOVES = 700, APART = 37 };

shared [BLOCK] unsigned char board[BLOCK * THREADS];
strict shared int turn;
static unsigned char *model;
static upc_lock_t *lock;

typedef struct {
    unsigned char byte[24];
} three;

static unsigned next(unsigned long *state)
{
    *state = *state * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(*state >> 33);
}

static int owner(int round, int place, int cell)
{
    unsigned long state = (unsigned long)round * 1000003 + (unsigned long)(place / cell);
    next(&state);
    return (int)(next(&state) % (unsigned)(THREADS + 1));
}

static void move(unsigned long *state, int round, int cell, int player, int mine)
{
    int thread = (int)(next(state) % THREADS), at = (int)(next(state) % BLOCK), place = thread * BLOCK + at;
    int whose = owner(round, place, cell), kind = (int)(next(state) % 8), left = cell - place % cell, n, i;
    unsigned char fresh[CELL_MOST];
    shared [] unsigned char *p = (shared [] unsigned char *)&board[thread * BLOCK] + at;
    unsigned seed = next(state);
    if (left > BLOCK - at)
        left = BLOCK - at;
    if (whose != player && whose != THREADS)
        return;
    n = 1 + (int)(seed % (unsigned)left);
    if (kind < 3 || whose == THREADS) {
        for (i = 0; mine && i < n; i++)
            CHECK(p[i] == model[place + i]);
        if (mine && n >= 24) {
            three got = *(shared [] three *)p;
            CHECK(memcmp(&got, model + place, sizeof got) == 0);
        }
        return;
    }
    for (i = 0; i < n; i++)
        fresh[i] = (unsigned char)(seed + (unsigned)i * 3);
    if (kind == 3 && n >= 24)
        n = 24;
    if (mine && kind == 3 && n == 24)
        *(shared [] three *)p = *(three *)fresh;
    else if (mine && kind == 4)
        upc_memput(p, fresh, n);
    else
        for (i = 0; mine && i < n; i++)
            p[i] = fresh[i];
    memcpy(model + place, fresh, n);
    if (mine && seed % 64 == 0) {
        upc_lock(lock);
        upc_unlock(lock);
    } else if (mine && seed % 64 == 1) {
        upc_fence;
    } else if (mine && seed % 64 == 2) {
        turn = player;
    }
}

static void play(int round, int cell, int player, int mine)
{
    unsigned long state = (unsigned long)round * 7919 + (unsigned long)player;
    int i;
    for (i = 0; i < MOVES; i++)
        move(&state, round, cell, player, mine);
}

int main(void)
{
    static const int cells[] = {1, 3, 8, 64, 100, CELL_MOST};
    int round, player, i;
    model = calloc(BLOCK, THREADS);
    lock = upc_all_lock_alloc();
    upc_barrier;
    for (round = 0; round < ROUNDS; round++) {
        int cell = cells[round % 6];
        play(round, cell, MYTHREAD, 1);
        upc_barrier;
        for (player = 0; player < THREADS; player++)
            if (player != MYTHREAD)
                play(round, cell, player, 0);
        for (i = (round + MYTHREAD) % APART; i < BLOCK * THREADS; i += APART)
            CHECK(board[i] == model[i]);
        upc_barrier;
    }
    return pass();
}
