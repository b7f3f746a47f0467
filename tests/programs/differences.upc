// question: do differences and comparisons work between any two pointers into one object, however it was allocated and one past its end too?
// counts: UPC_ALL_ALLOC=2*THREADS, UPC_GLOBAL_ALLOC=2*THREADS, UPC_ALLOC=THREADS, UPC_FREE=5*THREADS, UPC_BARRIER=2*THREADS, UPC_GET=0, UPC_PUT=0
#include "check.h"

#define N 6

shared int fixed[N * THREADS];
shared [3] int dealt[N * THREADS];

/* Every pair of places, the end included. */
#define PAIRS(type, start, count)                                                    \
    do {                                                                             \
        type from_ = (start);                                                        \
        for (int i_ = 0; i_ <= (count); i_++)                                        \
            for (int j_ = 0; j_ <= (count); j_++) {                                  \
                type p_ = from_ + i_; type q_ = from_ + j_;                             \
                CHECK(p_ - q_ == i_ - j_ && (p_ == q_) == (i_ == j_));               \
                CHECK((p_ < q_) == (i_ < j_) && (p_ >= q_) == (i_ >= j_));           \
            }                                                                        \
    } while (0)

int main(void)
{
    shared int *all = upc_all_alloc(N * THREADS, sizeof(int));
    shared [3] int *blocked = upc_all_alloc(N * THREADS / 3, 3 * sizeof(int));
    shared int *global = upc_global_alloc(N * THREADS, sizeof(int));
    shared [2] int *pairs = upc_global_alloc(N * THREADS / 2, 2 * sizeof(int));
    shared [] int *own = upc_alloc(N * sizeof(int));
    PAIRS(shared int *, fixed, N * THREADS);
    PAIRS(shared [3] int *, dealt, N * THREADS);
    PAIRS(shared int *, all, N * THREADS);
    PAIRS(shared [3] int *, blocked, N * THREADS);
    PAIRS(shared int *, global, N * THREADS);
    PAIRS(shared [2] int *, pairs, N * THREADS);
    PAIRS(shared [] int *, own, N);
    upc_barrier;
    upc_free(own);
    upc_free(global);
    upc_free(pairs);
    upc_all_free(all);
    upc_all_free(blocked);
    return pass();
}
