// question: do reductions that round give the same bits in every run, whatever the flags and the timing?
// counts: UPC_ALL_REDUCE=48*THREADS, UPC_ALL_PREFIX_REDUCE=48*THREADS, UPC_BARRIER=97*THREADS, UPC_PUT=20000, UPC_GET=392847*THREADS, UPC_GET.remote=392847*(THREADS-1)
#include "collective.h"

enum { N = 20000 };
shared [7] double array[N * THREADS], prefixes[N * THREADS];
shared double result;

int main(void)
{
    static const size_t counts[] = {100, 3000, N};
    double *all = malloc(N * sizeof(double)), first = 0;
    int combination, size;
    size_t i;
    for (i = MYTHREAD; i < N; i += THREADS)
        array[i] = 1.0 / (i + 1) - i % 3 * 1e-3;
    for (size = 0; size < 3; size++)
        for (combination = 0; combination < FLAGS; combination++) {
            size_t n = counts[size];
            upc_barrier;
            delay();
            upc_all_reduceD(&result, array, UPC_ADD, n, 7, NULL, flags_of(combination));
            delay();
            upc_all_prefix_reduceD(prefixes, array, UPC_ADD, n, 7, NULL, flags_of(combination));
            upc_barrier;
            if (combination == 0) {
                first = result;
                for (i = 0; i < n; i++)
                    all[i] = prefixes[i];
            }
            CHECK(result == first);
            for (i = 0; i < n; i++)
                CHECK(prefixes[i] == all[i]);
            /* The sums are those numbers, too. */
            CHECK(result - all[n - 1] < 1e-9 && all[n - 1] - result < 1e-9);
        }
    return pass();
}
