// question: is the race found of a strict atomic read with a plain write?
// threads: 2
// race: 12 14
#include "races.h"

static shared int x;

int main(void)
{
    int seen = 0;
    if (MYTHREAD != 0)
        seen = bupc_atomicI_read_strict(&x);
    else
        x = 1;
    CHECK(seen >= 0);
    return pass();
}
