#include <upc.h>
#include <stdio.h>

shared int total;

int main(void)
{
    if (MYTHREAD == 0)
        total = 1 //~ E0100 @18
    upc_barrier;
    printf("%d\n", total) //~ E0100 @26
}
