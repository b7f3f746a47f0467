// question: is the race found of what the function of upc_all_sort reads beside its elements?
// race: 11 17
#include "races.h"
#include <upc_collective.h>

#define N 40

shared [N] int a[N * THREADS], key[N * THREADS];
static int compare(shared void *x, shared void *y)
{
    return key[*(shared int *)x] - key[*(shared int *)y];
}

int main(void)
{
    for (int i = N * MYTHREAD; i < N * (MYTHREAD + 1); i++)
        key[i] = -i, a[i] = i;
    upc_all_sort(a, sizeof(int), N * THREADS, N, compare, UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
    CHECK(a[N * MYTHREAD] == N * (THREADS - MYTHREAD) - 1);
    return pass();
}
