// question: do strict and relaxed accesses to one variable not race where a barrier separates them?
#include "races.h"

static shared int x;

int main(void)
{
    strict shared int *strong = (strict shared int *)&x;
    if (MYTHREAD == 0)
        x = 3;
    upc_barrier;
    CHECK(*strong == 3);
    upc_barrier;
    *strong = 4;
    upc_barrier;
    CHECK(x == 4);
    return pass();
}
