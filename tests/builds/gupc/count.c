#include <math.h>
#include <stdio.h>
#include <string.h>
#include <upc.h>

#include "table.h"

int main(int argc, char **argv)
{
    long sum = 0, n = ROWS * THREADS;
    fill();
    upc_barrier;
    for (int i = 0; i < n; i++)
        sum += table[i];
    if (MYTHREAD == 0)
        printf("sum %ld, root %.0f, %s\n", sum, sqrt(n), argv[argc - 1]);
    return argc != 2 || strcmp(argv[1], "x") != 0 || sum != n * (n - 1) / 2;
}
