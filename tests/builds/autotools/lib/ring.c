#include "../ring.h"

static shared int slot[THREADS];

int ring_pass(int value)
{
    int turn;
    for (turn = 0; turn < THREADS; turn++) {
        if (turn == MYTHREAD)
            slot[(turn + 1) % THREADS] = (turn == 0 ? value : slot[turn]) + 1;
        upc_barrier;
    }
    return slot[0];
}
