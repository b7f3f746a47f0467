// W0617: comparisons of MYTHREAD that have one outcome, dynamic THREADS.
#include <upc.h>

int f(int n)
{
    int me = MYTHREAD;
    if (MYTHREAD == THREADS) //~ W0617 @9 `MYTHREAD == THREADS` is always false
        n = 1;
    if (THREADS != MYTHREAD) //~ W0617 @9 always true
        n = 2;
    if (me == THREADS) //~ W0617
        n = 3;
    if (MYTHREAD == -1) //~ W0617 @9 never negative
        n = 4;
    // Silent.
    if (MYTHREAD == THREADS - 1 || MYTHREAD + 1 == THREADS || MYTHREAD < THREADS)
        n = 5;
    if (MYTHREAD == 7 || MYTHREAD == n || MYTHREAD >= THREADS)
        n = 6;
    return n;
}
