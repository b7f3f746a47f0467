// question: is the race found of a write with the read of the iteration before, in a loop with one barrier?
// race: 11 13
#include "races.h"

static shared int a[THREADS];

int main(void)
{
    int step, sum = 0;
    for (step = 0; step < 4; step++) {
        a[MYTHREAD] = step;
        upc_barrier;
        sum += a[(MYTHREAD + 1) % THREADS];
    }
    CHECK(sum >= 0);
    return pass();
}
