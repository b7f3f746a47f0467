// question: does upc_all_reduceT combine all elements, for each type and operation, as each combination of flags promises?
#include "reduce.h"

int main(void)
{
    return test_reductions(0);
}
