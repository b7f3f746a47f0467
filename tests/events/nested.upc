// Events inside of others: the user's function in a reduction and in a sort's comparison, calls as arguments, statement expressions.
// judge: balance
// raises: C_FUNC UPC_ALL_REDUCE UPC_GET UPC_MEMPUT C_MALLOC C_FREE UPC_FORALL
#include <stdlib.h>
#include <upc.h>
#include <upc_collective.h>

shared [2] long values[2 * THREADS];
shared long result;
shared int sorted[8 * THREADS];

static long bigger(long x, long y)
{
    return x > y ? x : y;
}

static int less(shared void *x, shared void *y)
{
    int a = *(shared int *)x, b = *(shared int *)y;
    return a < b ? -1 : a > b;
}

static int *made(int n)
{
    int *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = i;
    return p;
}

int main(void)
{
    upc_flag_t both = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    int *p;
    upc_forall (int i = 0; i < 2 * THREADS; i++; &values[i])
        values[i] = 10 - i;
    upc_all_reduceL(&result, values, UPC_FUNC, 2 * THREADS, 2, bigger, both);
    if (result != 10)
        upc_global_exit(1);
    upc_memput(&sorted[MYTHREAD], p = made(({ int n = 1; upc_fence; n; })), sizeof(int));
    free(p);
    upc_barrier;
    upc_all_sort(sorted, sizeof(int), 8 * THREADS, 1, less, both);
    return sorted[0] != 0;
}
