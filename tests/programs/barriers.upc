// question: barriers, named barriers and split phases order what threads write before and read after
// threads: 1 2 3 4 8 16
// counts: UPC_BARRIER=117*THREADS, UPC_NOTIFY=45*THREADS, UPC_WAIT=45*THREADS, UPC_FENCE=THREADS+1, C_FUNC=38*THREADS
// counts: UPC_GET=60*THREADS*THREADS+40*THREADS, UPC_GET.remote=60*THREADS*(THREADS-1)+20*THREADS*(THREADS>1), UPC_PUT=80*THREADS, UPC_PUT.remote=20*THREADS*(THREADS>1)
#include "check.h"

shared int stage[THREADS];
shared [] int sum[1];

static int value(int round) { return round * 2 - 7; }

int main(void)
{
    int round, t;
    for (round = 1; round <= 60; round++) {
        stage[MYTHREAD] = round;
        switch (round % 5) {
        case 0: upc_barrier; break;
        case 1: upc_barrier round; break;
        case 2:
            upc_notify;
            upc_wait;
            break;
        case 3:
            upc_notify value(round);
            upc_wait value(round);
            break;
        default: upc_barrier value(-round) + 1;
        }
        for (t = 0; t < THREADS; t++)
            CHECK(stage[t] == round);
        upc_barrier;
    }
    /* Work between notify and wait; only some threads give an expression. */
    for (round = 100; round < 120; round++) {
        stage[(MYTHREAD + 1) % THREADS] = round;
        if (MYTHREAD % 2)
            upc_notify 5;
        else
            upc_notify;
        t = stage[(MYTHREAD + 1) % THREADS];
        CHECK(t == round);
        if (MYTHREAD % 3 == 0)
            upc_wait;
        else
            upc_wait;
        CHECK(stage[MYTHREAD] == round);
        upc_barrier -1;
    }
    if (MYTHREAD == 0) { upc_fence; }
    upc_fence;
    { upc_notify 1; { upc_wait 1; } }
    return pass();
}
