// question: do reads of many threads not race with each other, nor with writes before and after a barrier?
#include "races.h"

static shared int x;

int main(void)
{
    int round;
    for (round = 0; round < 3; round++) {
        if (MYTHREAD == round % THREADS)
            x = round;
        upc_barrier;
        CHECK(x == round);
        CHECK(x + 1 == round + 1);
        upc_barrier;
    }
    return pass();
}
