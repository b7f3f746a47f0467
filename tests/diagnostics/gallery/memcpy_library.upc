// memcpy out of shared memory
#include <upc.h>
#include <string.h>

shared [100] double rows[100 * THREADS];
double mine[100];

void fetch(int thread)
{
    memcpy(mine, &rows[100 * thread], sizeof mine); //~ E0601 @18
}
