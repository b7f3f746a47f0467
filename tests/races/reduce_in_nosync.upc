// question: is the race found of a reduction without synchronisation with the writes of its elements before it?
// race: 10 11
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS], sum;

int main(void)
{
    a[MYTHREAD] = 1;
    upc_all_reduceI(&sum, a, UPC_ADD, THREADS, 1, NULL, UPC_IN_NOSYNC | UPC_OUT_ALLSYNC);
    return pass();
}
