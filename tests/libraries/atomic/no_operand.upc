// question: is an operand that is missing, or one too many, refused?
// threads: 2
// status: nonzero
// stderr: upc_atomic_strict: UPC_CSWAP takes 2 operands
#include <upc.h>
#include <upc_atomic.h>

static shared int place;

int main(void)
{
    int one = 1, old;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_CSWAP, 0);
    upc_atomic_strict(domain, &old, UPC_CSWAP, &place, &one, 0);
    return 0;
}
