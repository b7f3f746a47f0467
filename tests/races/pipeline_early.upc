// question: is the race found of a pipeline whose threads hand on before they have done?
// race: 13 13
#include "races.h"

static shared int item;
static strict shared int turn[2 * THREADS];

int main(void)
{
    while (MYTHREAD != 0 && !turn[MYTHREAD])
        sched_yield();
    turn[MYTHREAD + 1] = 1;
    item += MYTHREAD;
    return pass();
}
