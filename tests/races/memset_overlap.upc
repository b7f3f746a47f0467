// question: is the race found of a upc_memset that clears one element of the next thread's?
// threads: 2
// race: 13 15
// element: element 8 of `a`
#include "races.h"

static shared [] int a[16];

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0)
        upc_memset(a, 0, 9 * sizeof(int));
    else
        seen = a[8] + a[15];
    CHECK(seen == 0);
    return pass();
}
