// question: is the race found of a prefix reduction that synchronises with each thread with a write for a neighbour?
// race: 10 11
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS], sums[THREADS];

int main(void)
{
    a[(MYTHREAD + 1) % THREADS] = 1;
    upc_all_prefix_reduceI(sums, a, UPC_ADD, THREADS, 1, NULL, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
    return pass();
}
