// question: is each access in a loop through elements that share 8 bytes recorded?
// threads: 2
// race: 13 18
// race: 13 19
#include "races.h"

static shared [8] signed char bytes[8 * THREADS];
static shared int gate;

static void fill(void)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (signed char)i;
}

static void look(void)
{
    CHECK(bytes[0] == 0);
    CHECK(bytes[7] == 7);
}

int main(void)
{
    if (MYTHREAD == 0) {
        fill();
        gate_open(&gate);
    } else {
        gate_wait(&gate);
        look();
    }
    return pass();
}
