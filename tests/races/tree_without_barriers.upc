// question: is the race found of two levels of a reduction tree?
// threads: 4
// race: 15 15
#include "races.h"

static shared int sum[THREADS];

int main(void)
{
    int step;
    sum[MYTHREAD] = 1;
    upc_barrier;
    for (step = 1; step < THREADS; step *= 2)
        if (MYTHREAD % (2 * step) == 0)
            sum[MYTHREAD] += sum[MYTHREAD + step];
    return pass();
}
