// question: is the race found of a reduction that synchronises with each thread with another thread's read of the result?
// race: 12 14
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS], sum;

int main(void)
{
    int seen = 0;
    a[MYTHREAD] = 1;
    upc_all_reduceI(&sum, a, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_MYSYNC);
    if (MYTHREAD != 0)
        seen = sum;
    CHECK(seen == 0 || seen == THREADS);
    return pass();
}
