// finding: none
/* Threads compute for themselves and meet once. */
#include <stdio.h>
#include "work.h"

shared double sums[THREADS];

int main(void)
{
    work(50000);
    sums[MYTHREAD] = 1;
    upc_barrier;
    if (MYTHREAD == 0)
        printf(sums[THREADS - 1] == 1 ? "PASS\n" : "FAIL\n");
    return 0;
}
