// question: do loops over every second element, one for each thread, not race?
// threads: 2
#include "races.h"

static shared [] int a[20];

int main(void)
{
    int i;
    for (i = MYTHREAD; i < 20; i += 2)
        a[i] = MYTHREAD;
    upc_barrier;
    for (i = 0; i < 20; i++)
        CHECK(a[i] == i % 2);
    return pass();
}
