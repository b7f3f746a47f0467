// question: is the race found of a write with the reads of several threads before it?
// race: 11 13
#include "races.h"

static shared int x;

int main(void)
{
    int seen = 0;
    if (MYTHREAD != 0)
        seen = x;
    else
        x = 1;
    CHECK(seen == 0 || seen == 1);
    return pass();
}
