// question: is the race found of a read of a neighbour's element that no barrier separates from the write?
// race: 10 11
#include "races.h"

static shared int a[THREADS];

int main(void)
{
    int next;
    a[MYTHREAD] = MYTHREAD;
    next = a[(MYTHREAD + 1) % THREADS];
    CHECK(next >= 0);
    return pass();
}
