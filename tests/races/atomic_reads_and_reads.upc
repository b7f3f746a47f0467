// question: do atomic reads not race with plain reads?
#include "races.h"

static shared int x;

int main(void)
{
    if (MYTHREAD == 0)
        bupc_atomicI_set_relaxed(&x, 3);
    upc_barrier;
    if (MYTHREAD % 2 == 0)
        CHECK(bupc_atomicI_read_relaxed(&x) == 3);
    else
        CHECK(x == 3);
    return pass();
}
