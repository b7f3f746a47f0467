// question: does a barrier order the write of an element before the read by a neighbour?
#include "races.h"

static shared int a[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    a[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK(a[next] == next);
    return pass();
}
