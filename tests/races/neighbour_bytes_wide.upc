// question: is the race found of a wide read over a byte that another thread writes?
// threads: 2
// race: 12 14
#include "races.h"

static shared [] int words[2];

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0)
        ((shared [] char *)words)[6] = 1;
    else
        seen = words[1];
    CHECK(seen >= 0);
    return pass();
}
