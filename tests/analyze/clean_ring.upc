// finding: none
/* Blocks go around a ring: each thread writes to the next one, then computes with what it got. */
#include <stdio.h>
#include "work.h"

#define B 1024

shared [B] int box[2][B * THREADS];
int block[B];

int main(void)
{
    block[0] = MYTHREAD;
    for (int step = 0; step < 10; step++) {
        upc_memput(&box[step % 2][(MYTHREAD + 1) % THREADS * B], block, sizeof block);
        upc_barrier;
        upc_memget(block, &box[step % 2][MYTHREAD * B], sizeof block);
        work(5000);
    }
    if (MYTHREAD == 0)
        printf(block[0] == (10 * THREADS - 10) % THREADS ? "PASS\n" : "FAIL\n");
    return 0;
}
