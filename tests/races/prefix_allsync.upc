// question: does a prefix reduction that synchronises with all order writes for a neighbour, and reads of its result?
#include "races.h"
#include <upc_collective.h>

static shared int a[THREADS], sums[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS;
    a[next] = 1;
    upc_all_prefix_reduceI(sums, a, UPC_ADD, THREADS, 1, NULL, 0);
    CHECK(sums[next] == next + 1);
    a[next] = 2;
    return pass();
}
