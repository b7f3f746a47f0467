// question: does a barrier order what is written through a pointer to private memory?
#include "races.h"

static shared [4] int a[4 * THREADS];

int main(void)
{
    int *mine = (int *)&a[4 * MYTHREAD], i, next = (MYTHREAD + 1) % THREADS;
    for (i = 0; i < 4; i++)
        mine[i] = i;
    upc_barrier;
    for (i = 0; i < 4; i++)
        CHECK(a[4 * next + i] == i);
    return pass();
}
