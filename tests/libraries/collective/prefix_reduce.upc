// question: does upc_all_prefix_reduceT give every prefix, for each type and operation, as each combination of flags promises?
#include "reduce.h"

int main(void)
{
    return test_reductions(1);
}
