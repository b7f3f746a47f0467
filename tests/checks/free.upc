// check: FREE_TWICE FREE_INSIDE FREE_PHASE FREE_STATIC FREE_KIND FREE_NOTHING
#include <string.h>
#include "check.h"

shared int declared[THREADS];
shared [2] int *shared published[THREADS];

static int legal(void)
{
    shared [] int *p = upc_alloc(8);
    shared void *all = upc_all_alloc(THREADS, 8), *again;
    upc_lock_t *lock = upc_all_lock_alloc(), *mine = upc_global_lock_alloc();
    upc_free(p);
    p = upc_alloc(8);
    published[MYTHREAD] = upc_global_alloc(THREADS, 8);
    upc_barrier;
    upc_free(published[(MYTHREAD + 1) % THREADS]);
    upc_free(p);
    upc_all_free(all);
    again = upc_all_alloc(3, 5);
    if (MYTHREAD == THREADS - 1)
        upc_free(again);
    upc_all_lock_free(lock);
    upc_lock_free(mine);
    return passed();
}

int main(int argc, char **argv)
{
    shared [] int *p = upc_alloc(80);
    shared [2] int *all = upc_all_alloc(THREADS, 8);
    upc_lock_t *lock = upc_global_lock_alloc();
    shared [4] int *fours = upc_all_alloc(THREADS, 16);
    shared void *generic;
    shared int *wild;
    memset(&wild, 0x11, sizeof wild);
    upc_barrier;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1:
        upc_free(p);
        upc_free(p); //~ 1 upc_free: an allocated block of 80 bytes was freed by thread
        break;
    case 2: upc_free(all); break; //~ 2 2+ was freed by thread
    case 3: upc_free(p + 4); break; //~ 3 upc_free: the pointer is 16 bytes into an allocated block of 80 bytes
    case 4: upc_free(all + 2); break; //~ 4 2+ upc_free: the pointer is 8 bytes into
    case 5: upc_free(&declared[MYTHREAD]); break; //~ 5 which is declared, not allocated
    case 6: upc_free(lock); break; //~ 6 upc_free: the pointer is to a lock
    case 7: upc_lock_free((upc_lock_t *)p); break; //~ 7 upc_lock_free: the pointer is to an allocated block of 80 bytes
    case 8: upc_free(all + 1); break; //~ 8 upc_free: the pointer is 4 bytes into
    case 9: upc_free(wild); break; //~ 9 does not point to allocated space
    case 10: upc_free(upc_alloc(0) == NULL ? (shared void *)(p - 1000) : p); break; //~ 10 upc_free: the pointer
    case 11: upc_all_free(all + 1); break; //~ 11 upc_all_free: the pointer is 4 bytes into
    case 12:
        upc_lock_free(lock);
        upc_lock_free(lock); //~ 12 upc_lock_free: a lock was freed by thread
        break;
    case 13:
        generic = fours + 2;
        upc_free((shared [4] long *)generic - 1); //~ 13 upc_free: the pointer has phase 1
        break;
    }
    upc_barrier;
    return 0;
}
