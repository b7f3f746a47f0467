// question: is the race found of boundary elements that are written while the neighbour reads them?
// race: 14 16
#include "races.h"

#define BLOCK 6
static shared [BLOCK] int a[BLOCK * THREADS], b[BLOCK * THREADS];

int main(void)
{
    int i, step;
    for (step = 0; step < 3; step++) {
        upc_barrier;
        upc_forall (i = 1; i < BLOCK * THREADS - 1; i++; &b[i])
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        upc_forall (i = 1; i < BLOCK * THREADS - 1; i++; &a[i])
            a[i] = b[i];
    }
    return pass();
}
