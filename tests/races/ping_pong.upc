// question: does a strict variable that two threads hand to and fro order what they share?
// threads: 2
#include "races.h"

static shared int x;
static strict shared int turn;

int main(void)
{
    int round;
    for (round = 0; round < 10; round++) {
        while (turn != MYTHREAD)
            sched_yield();
        x++;
        turn = 1 - MYTHREAD;
    }
    upc_barrier;
    CHECK(x == 20);
    return pass();
}
