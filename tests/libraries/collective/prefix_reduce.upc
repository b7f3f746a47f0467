// question: does upc_all_prefix_reduceT give every prefix, for each type and operation, as each combination of flags promises?
// counts: UPC_ALL_PREFIX_REDUCE=3584*THREADS, UPC_ALL_REDUCE=0, UPC_ALL_ALLOC=2*THREADS, UPC_BARRIER=8961*THREADS
#include "reduce.h"

int main(void)
{
    return test_reductions(1);
}
