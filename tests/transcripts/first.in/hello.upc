#include <stdio.h>
#include <upc.h>

shared int sum[THREADS];

int main(void)
{
    sum[MYTHREAD] = MYTHREAD + 1;
    upc_barrier;
    if (MYTHREAD == 0) {
        int total = 0;
        for (int i = 0; i < THREADS; i++)
            total += sum[i];
        printf("%d threads, sum %d\n", THREADS, total);
    }
    return 0;
}
