// `%d` for the result of upc_threadof
#include <upc.h>
#include <stdio.h>

shared int a[THREADS];

void where(int i)
{
    printf("element %d is on thread %d\n", i, upc_threadof(&a[i])); //~ W0325 @37
}
