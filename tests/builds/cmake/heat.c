#include <pthread.h>
#include <stdio.h>

#include "grid.h"

static void *add(void *sum)
{
    *(long *)sum = grid_sum();
    return NULL;
}

int main(void)
{
    long sum = 0, n = BLOCK * THREADS;
    pthread_t helper;
    grid_fill();
    if (pthread_create(&helper, NULL, add, &sum) != 0 || pthread_join(helper, NULL) != 0)
        return 1;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("sum %ld\n", sum);
    return sum != n * (n + 1) / 2;
}
