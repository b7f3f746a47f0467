// check: OUTSIDE FREED
#include "check.h"
#include <upc_atomic.h>
#include <upc_nb.h>
#include <bupc_extensions.h>

shared [2] long counters[2 * THREADS];

static int legal(upc_atomicdomain_t *domain)
{
    long one = 1, old;
    upc_atomic_relaxed(domain, &old, UPC_ADD, &counters[2 * THREADS - 1], &one, NULL);
    upc_atomic_strict(domain, &old, UPC_GET, &counters[MYTHREAD], NULL, NULL);
    bupc_atomicL_fetchadd_relaxed(&counters[0], 1);
    upc_all_atomicdomain_free(domain);
    return passed();
}

int main(int argc, char **argv)
{
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_LONG, UPC_ADD | UPC_GET, 0);
    shared [] long *mine = upc_alloc(sizeof(long));
    shared [] int *half = upc_alloc(sizeof(int));
    shared [] long *gone = upc_alloc(4 * sizeof(long));
    long one = 1, to[4];
    upc_free(gone);
    upc_barrier;
    switch (the_case(argc, argv)) {
    case 0: return legal(domain);
    case 1: upc_atomic_relaxed(domain, NULL, UPC_ADD, mine + 1, &one, NULL); break; //~ 1 an atomic operation uses 8 bytes at thread
    case 2: upc_atomic_strict(domain, &one, UPC_GET, (shared void *)half, NULL, NULL); break; //~ 2 4 of them past the end of an allocated block
    case 3: bupc_atomicL_fetchadd_relaxed(mine - 1, 1); break; //~ 3 an atomic operation uses 8 bytes at thread
    case 4: bupc_atomicL_set_strict(gone + 1, 1); break; //~ 4 an allocated block of 32 bytes, which thread
    case 5: upc_memget_nbi(to, mine, 4 * sizeof(long)); break; //~ 5 24 of them past the end of an allocated block
    case 6: bupc_memget_fstrided(to, 8, 8, 2, mine, 8, 8, 2); break; //~ 6 reads 8 bytes at thread
    }
    return 0;
}
