#include <upc_relaxed.h>

extern shared int total[THREADS];

void store(int value)
{
    total[MYTHREAD] = value;
}

int load(void)
{
    return total[(MYTHREAD + 1) % THREADS];
}
