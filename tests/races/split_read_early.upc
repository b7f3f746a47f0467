// question: is the race found of a read before the notify with a write between notify and wait?
// race: 11 14
#include "races.h"

static shared int x;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 1)
        seen = x;
    upc_notify;
    if (MYTHREAD == 0)
        x = 1;
    upc_wait;
    CHECK(seen == 0 || seen == 1);
    return pass();
}
