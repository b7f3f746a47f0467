// question: do two barriers in each step order the exchange of boundary elements?
#include "races.h"

#define BLOCK 6
static shared [BLOCK] int a[BLOCK * THREADS], b[BLOCK * THREADS];

int main(void)
{
    int i, step;
    upc_forall (i = 0; i < BLOCK * THREADS; i++; &a[i])
        a[i] = i;
    for (step = 0; step < 3; step++) {
        upc_barrier;
        upc_forall (i = 1; i < BLOCK * THREADS - 1; i++; &b[i])
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        upc_barrier;
        upc_forall (i = 1; i < BLOCK * THREADS - 1; i++; &a[i])
            a[i] = b[i];
    }
    upc_barrier;
    CHECK(a[BLOCK] == BLOCK);
    return pass();
}
