// question: do two barriers in each iteration order writes and reads of a loop?
#include "races.h"

static shared int a[THREADS];

int main(void)
{
    int step;
    for (step = 0; step < 4; step++) {
        a[MYTHREAD] = step;
        upc_barrier;
        CHECK(a[(MYTHREAD + 1) % THREADS] == step);
        upc_barrier;
    }
    return pass();
}
