#include "greeting.h"
#include <stdio.h>
#include <string.h>
#include <upc.h>

shared int lengths[THREADS];

int main(void)
{
    lengths[MYTHREAD] = (int)strlen(greeting());
    upc_barrier;
    if (MYTHREAD == 0)
        printf("%s, %d threads\n", greeting(), THREADS);
    return lengths[(MYTHREAD + 1) % THREADS] != sizeof GREETING - 1;
}
