#include "grid.h"

shared [BLOCK] int grid[BLOCK * THREADS];

void grid_fill(void)
{
    int i;
    upc_forall(i = 0; i < BLOCK * THREADS; i++; &grid[i])
        grid[i] = plain(i);
    upc_barrier;
}

long grid_sum(void)
{
    long sum = 0;
    int i;
    for (i = 0; i < BLOCK * THREADS; i++)
        sum += grid[i];
    return sizeof(long) == LONG_BYTES ? sum : -1;
}
