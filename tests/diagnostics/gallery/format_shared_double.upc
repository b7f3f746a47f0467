// `%d` for a shared double
#include <upc.h>
#include <stdio.h>

shared double sum[THREADS];

void show(void)
{
    printf("sum: %d\n", sum[0]); //~ W0325 @18
}
