// question: strict accesses keep their order: message passing and Dekker's exclusion never show a forbidden outcome
// threads: 2 3
// flags: -O
// counts: UPC_BARRIER=159*THREADS, UPC_PUT=1000*THREADS+1503, UPC_PUT.remote=501*(THREADS>1), C_FUNC=5*THREADS
// races: yes, what is read may already be of a later round
#include "check.h"

#define ROUNDS 500
strict shared int flag[THREADS];
strict shared int turn, x, y;
relaxed shared int data[THREADS];
shared [] int r[2];
shared int inside, entered;

static void message_passing(void)
{
    int round, from = (MYTHREAD + THREADS - 1) % THREADS;
    for (round = 1; round <= ROUNDS; round++) {
        data[MYTHREAD] = round;
        flag[MYTHREAD] = round;
        while (flag[from] < round)
            ;
        CHECK(data[from] >= round);
        if (round % 100 == 0)
            upc_barrier;
    }
}

/* Store buffering: with sequential consistency not both threads can read 0. */
static void store_buffering(void)
{
    int round;
    for (round = 0; round < ROUNDS / 10; round++) {
        if (MYTHREAD == 0)
            x = y = 0;
        upc_barrier;
        if (MYTHREAD == 0) {
            x = 1;
            r[0] = y;
        } else if (MYTHREAD == 1) {
            y = 1;
            r[1] = x;
        }
        upc_barrier;
        CHECK(r[0] || r[1]);
        upc_barrier;
    }
}

/* Peterson's lock between threads 0 and 1. */
static void exclusion(void)
{
    int round, me = MYTHREAD, other = 1 - me;
    if (me == 0) {
        flag[0] = flag[1] = 0;
        entered = 0;
    }
    upc_barrier;
    if (me < 2)
        for (round = 0; round < ROUNDS / 5; round++) {
            flag[me] = 1;
            turn = other;
            while (flag[other] && turn == other)
                ;
            entered++;
            CHECK(++inside == 1);
            inside--;
            flag[me] = 0;
        }
    upc_barrier;
    CHECK(entered == 2 * (ROUNDS / 5));
}

int main(void)
{
    message_passing();
    upc_barrier;
    store_buffering();
    exclusion();
    return pass();
}
