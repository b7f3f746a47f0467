// finding: late-thread 23 thread 0
/* Thread 0 is late in a collective call, where the others wait for it. */
#include <stdio.h>
#include <upc_collective.h>
#include "work.h"

#define STEPS 10
#ifdef ADVISED
#define MINE (300 + 5700.0 / THREADS)
#else
#define MINE (MYTHREAD == 0 ? 6000 : 300)
#endif

shared [] int from[4];
shared [4] int to[4 * THREADS];

int main(void)
{
    for (int step = 0; step < STEPS; step++) {
        work(MINE);
        if (MYTHREAD == 0)
            from[0] = step;
        upc_all_broadcast(to, from, 4 * sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    }
    if (MYTHREAD == 0)
        printf("PASS %.0f %.0f\n", 5700e3 * STEPS * (THREADS - 1), 5700e3 * STEPS);
    return 0;
}
