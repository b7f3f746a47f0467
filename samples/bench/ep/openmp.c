/*
 * ep: Gaussian random numbers, counted by rings around the origin, in C with OpenMP; see naive.upc.
 */
#include <omp.h>
#include <stdio.h>

#include "common.h"

int main(void)
{
    long all[RINGS] = {0};
    double sums = 0, start = omp_get_wtime();

#pragma omp parallel reduction(+ : sums)
    {
        long counts[RINGS] = {0};
        double sum = 0;
        count_pairs(omp_get_thread_num(), counts, &sum);
        sums += sum;
#pragma omp critical
        for (int k = 0; k < RINGS; k++)
            all[k] += counts[k];
    }
    double seconds = omp_get_wtime() - start;
    int right = is_right((double)PER * omp_get_max_threads(), all, sums);
    printf("ep %.6f %s\n", seconds, right ? "OK" : "WRONG");
    return !right;
}
