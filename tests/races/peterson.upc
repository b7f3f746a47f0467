// question: does Peterson's algorithm with strict accesses order its critical sections?
// threads: 2
#include "races.h"

static shared int x;
static strict shared int wants[THREADS], turn;

int main(void)
{
    int i, other = 1 - MYTHREAD;
    for (i = 0; i < 10; i++) {
        wants[MYTHREAD] = 1;
        turn = other;
        while (wants[other] && turn == other)
            sched_yield();
        x++;
        wants[MYTHREAD] = 0;
    }
    upc_barrier;
    CHECK(x == 20);
    return pass();
}
