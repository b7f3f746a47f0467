// question: is the race found of an access behind the critical section of Peterson's algorithm?
// threads: 2
// race: 18 18
#include "races.h"

static shared int x, y;
static strict shared int wants[THREADS], turn;

int main(void)
{
    int other = 1 - MYTHREAD;
    wants[MYTHREAD] = 1;
    turn = other;
    while (wants[other] && turn == other)
        sched_yield();
    x++;
    wants[MYTHREAD] = 0;
    y++;
    return pass();
}
