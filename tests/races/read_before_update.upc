// question: is the race found of a read with a later update by the thread that wrote the value before the barrier?
// threads: 2
// race: 15 19
#include "races.h"

static shared int x, read;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0)
        x = 1;
    upc_barrier;
    if (MYTHREAD == 1) {
        seen = x;
        gate_open(&read);
    } else {
        gate_wait(&read);
        x += 2;
    }
    CHECK(seen >= 0);
    return pass();
}
