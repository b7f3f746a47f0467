// question: is the race found of two accesses between notify and wait?
// race: 12 14
#include "races.h"

static shared int x;

int main(void)
{
    int seen = 0;
    upc_notify;
    if (MYTHREAD == 0)
        x = 1;
    else
        seen = x;
    upc_wait;
    CHECK(seen == 0 || seen == 1);
    return pass();
}
