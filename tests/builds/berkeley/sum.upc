#include <upc.h>

#include "sum.uph"

double sum_of(shared double *part)
{
    double sum = 0;
    int i;
    for (i = 0; i < THREADS; i++)
        sum += part[i];
    return sum;
}
