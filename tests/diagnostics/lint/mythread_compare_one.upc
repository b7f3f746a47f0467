// W0617 keeps silent with one thread: what the others would do is dead by intention.
// flags: -T=1
#include <upc.h>

int f(int n)
{
    if (MYTHREAD == 1)
        n = 1;
    return n;
}
