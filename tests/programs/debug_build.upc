// question: does a build for the debugger, which is checked too, compile without a word of the C compiler and mean the same?
// flags: -g -Wall -Werror
// counts: UPC_ALLOC=1, UPC_FORALL=THREADS, UPC_BARRIER=2*THREADS, UPC_PUT=5*THREADS+1, UPC_PUT.remote=THREADS>1, UPC_GET=4*THREADS*THREADS+2*THREADS
#include "check.h"

static shared [2] int grid[4 * THREADS];
shared struct { int x, y; } points[THREADS];
shared [] double *shared pointer;

int main(void)
{
    int i;
    upc_forall (i = 0; i < 4 * THREADS; i++; &grid[i])
        grid[i] = i;
    points[MYTHREAD].y = MYTHREAD;
    if (MYTHREAD == THREADS - 1)
        pointer = upc_alloc(sizeof(double));
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++)
        CHECK(grid[i] == i);
    CHECK(points[(MYTHREAD + 1) % THREADS].y == (MYTHREAD + 1) % THREADS);
    CHECK(upc_threadof(pointer) == (size_t)THREADS - 1);
    return pass();
}
