// question: is the use of a freed domain noticed?
// threads: 2
// status: nonzero
// stderr: upc_atomic_relaxed: not an atomicity domain, or one that was freed
#include <upc.h>
#include <upc_atomic.h>

static shared int place;

int main(void)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_INC, 0);
    upc_all_atomicdomain_free(domain);
    upc_atomic_relaxed(domain, 0, UPC_INC, &place, 0, 0);
    return 0;
}
