// W0617: comparisons of MYTHREAD that have one outcome, static THREADS.
// flags: -T=4
#include <upc.h>

int f(int n)
{
    if (MYTHREAD == THREADS) //~ W0617 @9 is always false: MYTHREAD is less than THREADS, which is 4 in this translation
        n = 1;
    if (MYTHREAD == 4) //~ W0617
        n = 2;
    if (MYTHREAD == 3)
        n = 3;
    if (MYTHREAD == THREADS - 1)
        n = 4;
    return n;
}
