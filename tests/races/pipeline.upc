// question: do strict flags from thread to thread order a pipeline?
#include "races.h"

static shared int item;
static strict shared int turn[2 * THREADS];

int main(void)
{
    while (MYTHREAD != 0 && !turn[MYTHREAD])
        sched_yield();
    item += MYTHREAD;
    turn[MYTHREAD + 1] = 1;
    upc_barrier;
    CHECK(item == THREADS * (THREADS - 1) / 2);
    return pass();
}
