/* Random elements of an array with one block for each of two threads. The block is selected without a jump: the loops have their own only. */
#include <upc_relaxed.h>
#define N 5000
shared [N] double x[N * THREADS];
shared [N] int sorted[N * THREADS];

double gathered(const long *column, const double *value, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += value[i] * x[column[i]];
    return sum;
}

/* The access ends the iteration: gcc copies the end of a loop's body unless it is asked not to. */
void scattered(const int *key, int *position, long n)
{
    for (long i = 0; i < n; i++) {
        int k = key[i], at = position[k]++;
        sorted[at] = k;
    }
}
