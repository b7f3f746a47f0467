#include <upc.h>

#include "table.h"

shared int table[ROWS * THREADS];

void fill(void)
{
    for (int i = MYTHREAD; i < ROWS * THREADS; i += THREADS)
        table[i] = i;
}
