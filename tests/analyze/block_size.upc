// finding: block-size 27
// distance: 1000000
// flags: -fno-upc-runs
/* Each thread sums a range of a cyclic array. */
#include <stdio.h>
#include "work.h"

#define EACH ELEMENTS
#define ROUNDS (DISTANCE ? 2 : 20 / THREADS + 1)

#ifdef ADVISED
shared [EACH] int a[EACH * THREADS];
#else
shared int a[EACH * THREADS];
#endif

int main(void)
{
    int first = MYTHREAD * EACH;
    long sum = 0;

    upc_memset(&a[MYTHREAD * upc_blocksizeof(a)], 1, EACH * sizeof(int)); /* each byte is 1 */
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < EACH; i++)

            sum += a[first + i];
    }
    upc_barrier;
    if (MYTHREAD == 0)
        planted(sum == ROUNDS * EACH * 0x01010101L, (double)ROUNDS * EACH * (THREADS - 1) * DISTANCE);
    return 0;
}
