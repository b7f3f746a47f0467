// question: is the race found of a relaxed atomic operation with a plain read?
// race: 11 13
#include "races.h"

static shared int count;

int main(void)
{
    int seen = 0;
    if (MYTHREAD != 0)
        bupc_atomicI_fetchadd_relaxed(&count, 1);
    else
        seen = count;
    CHECK(seen >= 0);
    return pass();
}
