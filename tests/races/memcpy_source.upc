// question: is the race found of a copy between shared places with a write of its last source element?
// threads: 2
// race: 13 15
// element: element 7 of `from`
#include "races.h"

static shared [] int from[8];
static shared [8] int to[8 * THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        upc_memcpy(&to[8], from, sizeof from);
    else
        from[7] = 1;
    return pass();
}
