// finding: none
/* Each thread updates the elements that have affinity to it. */
#include <stdio.h>
#include "work.h"

#define N (1000 * THREADS)

shared int a[N];

int main(void)
{
    for (int step = 0; step < 10; step++) {
        upc_forall (int i = 0; i < N; i++; &a[i])
            a[i] += step;
        work(5000);
        upc_barrier;
    }
    if (MYTHREAD == 0)
        printf(a[N - 1] == 45 ? "PASS\n" : "FAIL\n");
    return 0;
}
