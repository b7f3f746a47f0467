// Atomic operations of <upc_atomic.h>.
#include <upc.h>
#include <upc_atomic.h>

shared long cell[THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    long old, one = 1, next = (MYTHREAD + 1) % THREADS;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET | UPC_SET, UPC_ATOMIC_HINT_DEFAULT);
    upc_barrier;
    //= 5 UPC_BARRIER named=0, expr=0
    upc_atomic_relaxed(domain, &old, UPC_ADD, &cell[next], &one, NULL);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_ADD, n=8
    upc_atomic_strict(domain, &old, UPC_GET, &cell[next], NULL, NULL);
    //= 5 UPCC_ATOMIC target=cell[$u], op=UPC_GET, n=8
    upc_all_atomicdomain_free(domain);
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
