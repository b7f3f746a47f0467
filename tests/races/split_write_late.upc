// question: is the race found of a write between notify and wait with a read after the wait?
// race: 12 15
#include "races.h"

static shared int x;

int main(void)
{
    int seen = 0;
    upc_notify;
    if (MYTHREAD == 0)
        x = 1;
    upc_wait;
    if (MYTHREAD == 1)
        seen = x;
    CHECK(seen == 0 || seen == 1);
    return pass();
}
