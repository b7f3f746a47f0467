// question: do atomic operations not race with strict accesses?
#include "races.h"

static strict shared int count;

int main(void)
{
    if (MYTHREAD == 0)
        CHECK(count >= 0 && count <= THREADS - 1);
    else
        bupc_atomicI_fetchadd_relaxed(&count, 1);
    return pass();
}
