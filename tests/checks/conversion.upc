// check: LOCAL PHASE
#include "check.h"

shared int cyclic[4 * THREADS];
shared [4] int blocked[8 * THREADS];
shared [] int first[4];

static int legal(void)
{
    int *p = (int *)&cyclic[MYTHREAD + 3 * THREADS];
    shared void *generic = &blocked[3];
    shared [4] int *back = generic;
    shared int *cyclic_view = generic;
    int *mine = (int *)(blocked + 4 * MYTHREAD + 3);
    *p = 1;
    *mine = 2;
    if (upc_phaseof(back) != 3 || upc_phaseof(cyclic_view) != 0)
        return 1;
    return passed();
}

int main(int argc, char **argv)
{
    int next = (MYTHREAD + 1) % THREADS;
    shared void *generic = &blocked[3];
    shared [2] int *two;
    int *p;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1: p = (int *)&cyclic[next]; return *p; //~ 1 2+ is converted to a pointer-to-local
    case 2: p = (int *)first; return MYTHREAD == 0 ? 0 : *p; //~ 2 2+ an object of thread 0 is converted to a pointer-to-local
    case 3: return ((int *)(blocked + 4 * next))[3]; //~ 3 2+ is converted to a pointer-to-local
    case 4: two = generic; return *two; //~ 4 a `shared void *` with phase 3 is converted to a pointer with block size 2
    case 5: return *(shared [3] int *)generic; //~ 5 with phase 3 is converted to a pointer with block size 3
    case 6: return *(int *)(shared int *)&cyclic[next]; //~ 6 2+ is converted to a pointer-to-local
    }
    upc_barrier;
    return 0;
}
