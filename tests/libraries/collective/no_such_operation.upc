// question: is a bitwise operation on floating-point numbers refused?
// status: 1
// stderr: upc_all_reduceD: the operation 16 is not in upc_op_t, or is not defined for this type
#include "collective.h"

shared double d[THREADS], result;

int main(void)
{
    upc_all_reduceD(&result, d, UPC_XOR, THREADS, 1, NULL, 0);
    return pass();
}
