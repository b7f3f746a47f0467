// question: is the race found of a write after the turn was handed over?
// threads: 2
// race: 16 16
#include "races.h"

static shared int last;
static strict shared int turn;

int main(void)
{
    int round;
    for (round = 0; round < 10; round++) {
        while (turn != MYTHREAD)
            sched_yield();
        turn = 1 - MYTHREAD;
        last = MYTHREAD;
    }
    return pass();
}
