// question: is an operation refused that the domain was not allocated for?
// threads: 2
// status: nonzero
// stderr: upc_atomic_relaxed: UPC_XOR is not among the operations that the domain was allocated for
#include <upc.h>
#include <upc_atomic.h>

static shared int place;

int main(void)
{
    int one = 1;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_OR, 0);
    upc_atomic_relaxed(domain, 0, UPC_OR, &place, &one, 0);
    upc_atomic_relaxed(domain, 0, UPC_XOR, &place, &one, 0);
    return 0;
}
