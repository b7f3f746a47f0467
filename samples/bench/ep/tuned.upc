/*
 * ep: Gaussian random numbers, counted by rings around the origin. The threads share no data but
 * the counts.
 *
 * Tuned by hand: each thread counts in private memory, and puts the counts into its row of a
 * shared table.
 */
#include <math.h>
#include <stdio.h>
#include <upc_relaxed.h>
#include <upc_tick.h>

#ifndef PER
#define PER 3000000 /* pairs of each thread */
#endif
#define RINGS 10

typedef unsigned long word;

shared [RINGS] long rings[THREADS][RINGS];
shared double sums[THREADS];

static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }

/* From -1 to 1. */
static double number_of(word r) { return (double)(r >> 11) / (1L << 52) - 1; }

/*
 * Marsaglia's polar method: a pair of uniform numbers in the unit circle makes two Gaussian
 * ones.
 */
static void count_pairs(void)
{
    word r = (MYTHREAD + 1) * 0x9e3779b97f4a7c15u;
    long counts[RINGS] = {0};
    double sum = 0;

    for (long n = 0; n < PER; n++) {
        r = after(r);
        double x = number_of(r);
        r = after(r);
        double y = number_of(r), square = x * x + y * y;
        if (square < 1 && square > 0) {
            double scale = sqrt(-2 * log(square) / square);
            double most = fmax(fabs(x * scale), fabs(y * scale));
            counts[(int)most]++;
            sum += x * scale + y * scale;
        }
    }
    upc_memput(&rings[MYTHREAD][0], counts, sizeof counts);
    sums[MYTHREAD] = sum;
    upc_barrier;
}

/*
 * The circle has pi / 4 of the square; erf(1 / sqrt 2) squared of the pairs lie in the first
 * ring; the numbers have the mean 0 and the variance 1. Each within four standard deviations.
 */
static int is_right(void)
{
    double all = (double)PER * THREADS, pairs = 0, first = 0, sum = 0;
    double circle = acos(-1) / 4, inner = pow(erf(sqrt(0.5)), 2);

    for (int t = 0; t < THREADS; t++) {
        for (int k = 0; k < RINGS; k++)
            pairs += rings[t][k];
        first += rings[t][0];
        sum += sums[t];
    }
    return fabs(pairs - all * circle) < 4 * sqrt(all * circle * (1 - circle)) &&
           fabs(first - pairs * inner) < 4 * sqrt(pairs * inner * (1 - inner)) &&
           fabs(sum) < 4 * sqrt(2 * pairs);
}

int main(void)
{
    upc_barrier;
    upc_tick_t start = upc_ticks_now();
    count_pairs();
    double seconds = upc_ticks_to_ns(upc_ticks_now() - start) / 1e9;
    if (!is_right()) {
        printf("ep %.6f WRONG\n", seconds);
        upc_global_exit(1);
    }
    upc_barrier;
    if (MYTHREAD == 0)
        printf("ep %.6f OK\n", seconds);
    return 0;
}
