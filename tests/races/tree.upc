// question: do barriers order the levels of a reduction tree?
// threads: 3 4
#include "races.h"

static shared int sum[THREADS];

int main(void)
{
    int step;
    sum[MYTHREAD] = 1;
    upc_barrier;
    for (step = 1; step < THREADS; step *= 2) {
        if (MYTHREAD % (2 * step) == 0 && MYTHREAD + step < THREADS)
            sum[MYTHREAD] += sum[MYTHREAD + step];
        upc_barrier;
    }
    CHECK(sum[0] == THREADS);
    return pass();
}
