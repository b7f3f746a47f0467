/*
 * ep: what the forms in C have in common: the numbers of one rank or thread, and the check of all.
 */
#include <math.h>

#ifndef PER
#define PER 3000000 /* pairs of each rank or thread */
#endif
#define RINGS 10

typedef unsigned long word;

static word after(word r) { return r * 6364136223846793005u + 1442695040888963407u; }

/* From -1 to 1. */
static double number_of(word r) { return (double)(r >> 11) / (1L << 52) - 1; }

/*
 * Marsaglia's polar method: a pair of uniform numbers in the unit circle makes two Gaussian ones.
 */
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

/* See naive.upc. */
static int is_right(double all, const long *counts, double sum)
{
    double pairs = 0, circle = acos(-1) / 4, inner = pow(erf(sqrt(0.5)), 2);

    for (int k = 0; k < RINGS; k++)
        pairs += counts[k];
    return fabs(pairs - all * circle) < 4 * sqrt(all * circle * (1 - circle)) &&
           fabs(counts[0] - pairs * inner) < 4 * sqrt(pairs * inner * (1 - inner)) &&
           fabs(sum) < 4 * sqrt(2 * pairs);
}
