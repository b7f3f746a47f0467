// finding: none
/* Equal work and a reduction in each step. */
#include <stdio.h>
#include <upc_collective.h>
#include "work.h"

shared long part[THREADS];
shared long sum;

int main(void)
{
    for (int step = 0; step < 10; step++) {
        part[MYTHREAD] = step;
        work(5000);
        upc_all_reduceL(&sum, part, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    }
    if (MYTHREAD == 0)
        printf(sum == 9L * THREADS ? "PASS\n" : "FAIL\n");
    return 0;
}
