#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#include "sum.uph"

double seconds(void);
shared double part[THREADS];

int main(int argc, char **argv)
{
    double sum = 0, start = seconds(), pi;
    int i;
    if (argc != 2 || atoi(argv[1]) != 3)
        return 2;
    upc_forall(i = 0; i < STEPS; i++; i) {
        double x = (i + 0.5) / STEPS;
        sum += 4 / (1 + x * x) / STEPS;
    }
    part[MYTHREAD] = sum;
    upc_barrier 1;
    pi = sum_of(part);
    if (MYTHREAD == 0)
        printf("pi %.6f\n", pi);
    return fabs(pi - 3.141593) > 1e-5 || seconds() < start;
}
