// question: does a reduction that synchronises with each thread order its elements and the owner's read of the result?
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS], sum;

int main(void)
{
    a[MYTHREAD] = 1;
    upc_all_reduceI(&sum, a, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    if (MYTHREAD == 0)
        CHECK(sum == THREADS);
    a[MYTHREAD] = 2;
    return pass();
}
