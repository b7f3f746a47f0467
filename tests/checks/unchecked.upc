// check: FREE_UNKNOWN ARGUMENTS_ALLOC VALUES_THREADS
// flags: -fno-upc-checks
#include "check.h"

static int legal(void)
{
    upc_free(upc_alloc(8));
    upc_all_alloc(THREADS, 8);
    upc_barrier 7;
    return passed();
}

int main(int argc, char **argv)
{
    shared [] int *p = upc_alloc(80);
    int last = MYTHREAD == THREADS - 1;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1:
        upc_free(p);
        upc_free(p); //~ 1 upc_free: the pointer (thread
        break;
    case 2: upc_all_alloc(1, last + 1); break; //~ 2 2+ called it with (1,
    case 3: upc_barrier last; break; //~ 3 2+ barrier mismatch in upc_barrier: thread
    }
    upc_barrier;
    return 0;
}
