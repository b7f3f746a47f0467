#include <stdio.h>
#include <upc.h>
#include "word.h"

shared int counts[THREADS];

int main(void)
{
    counts[MYTHREAD] = WORD;
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%d\n", counts[THREADS - 1]);
    return 0;
}
