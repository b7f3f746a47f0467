// question: are the elements that the function of upc_all_sort compares taken as accesses of the sort, which may begin before another thread's barrier?
#include "races.h"
#include <upc_collective.h>

#define N 400

shared [N] int a[N * THREADS];

static int compare(shared void *x, shared void *y)
{
    return *(shared int *)x - *(shared int *)y;
}

static void sort(upc_flag_t in, upc_flag_t out)
{
    for (int i = 0; i < N; i++)
        a[N * MYTHREAD + i] = (i * 37 + MYTHREAD) % 101;
    if (in == UPC_IN_NOSYNC)
        upc_barrier;
    upc_all_sort(a, sizeof(int), N * THREADS, N, compare, in | out);
    if (out == UPC_OUT_NOSYNC)
        upc_barrier;
    for (int i = 1; i < N; i++)
        CHECK(a[N * MYTHREAD + i - 1] <= a[N * MYTHREAD + i]);
    upc_barrier;
}

int main(void)
{
    sort(UPC_IN_ALLSYNC, UPC_OUT_ALLSYNC);
    sort(UPC_IN_MYSYNC, UPC_OUT_MYSYNC);
    sort(UPC_IN_NOSYNC, UPC_OUT_NOSYNC);
    return pass();
}
