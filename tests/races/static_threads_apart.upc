// question: do the blocks of an array whose layout needs a fixed number of threads not race?
// threads: 2
// environment: static
#include "races.h"

static shared [3] int a[8];

int main(void)
{
    int i;
    for (i = 0; i < 8; i++)
        if (upc_threadof(&a[i]) == MYTHREAD)
            a[i] = i;
    upc_barrier;
    for (i = 0; i < 8; i++)
        CHECK(a[i] == i);
    return pass();
}
