/*
 * ep: Gaussian random numbers, counted by rings around the origin, in C with OpenMP; see naive.upc.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>

#ifndef PER
#define PER 3000000 /* pairs of each thread */
#endif
#define RINGS 10

typedef unsigned long word;

static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }

/* From -1 to 1. */
static double number_of(word r) { return (double)(r >> 11) / (1L << 52) - 1; }

static void count_pairs(int me, long *counts, double *sum)
{
    word r = (me + 1) * 0x9e3779b97f4a7c15u;

    for (long n = 0; n < PER; n++) {
        r = after(r);
        double x = number_of(r);
        r = after(r);
        double y = number_of(r), square = x * x + y * y;
        if (square < 1 && square > 0) {
            double scale = sqrt(-2 * log(square) / square);
            double most = fmax(fabs(x * scale), fabs(y * scale));
            counts[(int)most]++;
            *sum += x * scale + y * scale;
        }
    }
}

static int is_right(double all, const long *counts, double sum)
{
    double pairs = 0, circle = acos(-1) / 4, inner = pow(erf(sqrt(0.5)), 2);

    for (int k = 0; k < RINGS; k++)
        pairs += counts[k];
    return fabs(pairs - all * circle) < 4 * sqrt(all * circle * (1 - circle)) &&
           fabs(counts[0] - pairs * inner) < 4 * sqrt(pairs * inner * (1 - inner)) &&
           fabs(sum) < 4 * sqrt(2 * pairs);
}

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
