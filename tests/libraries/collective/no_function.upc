// question: is UPC_FUNC without a function refused?
// status: 1
// stderr: upc_all_prefix_reduceD: no function was passed
#include "collective.h"

shared double d[THREADS], result;

int main(void)
{
    upc_all_prefix_reduceD(d, d, UPC_FUNC, THREADS, 1, NULL, 0);
    return pass();
}
