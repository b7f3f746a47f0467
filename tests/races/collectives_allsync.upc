// question: does a chain of collective functions that synchronise with all order every access between them?
#include "races.h"
#include <upc_collective.h>

static shared [] int from[4];
static shared int each[THREADS];

int main(void)
{
    shared int *all = upc_all_alloc(THREADS, THREADS * sizeof(int));
    int next = (MYTHREAD + 1) % THREADS;
    from[next] = next;
    upc_all_scatter(each, from, sizeof(int), 0);
    each[next] += 1;
    upc_all_gather_all(all, each, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    CHECK(((shared [] int *)&all[MYTHREAD])[next] == next + 1);
    from[next] = 0;
    upc_all_gather(from, each, sizeof(int), 0);
    CHECK(from[next] == next + 1);
    return pass();
}
