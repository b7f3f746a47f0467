// check: DIFFERENT ARGUMENTS FORALL VALUES NOTIFY WAIT BARRIER SPLIT LEFT LEFT_NOTIFIED VALUES_WAIT
#include "check.h"

shared int a[THREADS];

static void elsewhere(void)
{
    upc_barrier;
}

static int legal(void)
{
    shared void *p = upc_all_alloc(THREADS, 4);
    int i;
    upc_forall (i = 0; i < THREADS; i++; i)
        a[i] = i;
    upc_barrier 3;
    if (MYTHREAD % 2 == 0) {
        upc_barrier;
    } else {
        upc_notify 5;
        upc_wait;
    }
    upc_notify;
    a[MYTHREAD]++;
    upc_wait;
    if (MYTHREAD == 0)
        elsewhere();
    else
        upc_barrier;
    upc_all_free(p);
    return passed();
}

int main(int argc, char **argv)
{
    shared void *p = upc_all_alloc(THREADS, 4), *q = upc_all_alloc(THREADS, 4);
    int last = MYTHREAD == THREADS - 1, i;
    switch (the_case(argc, argv)) {
    case 0: return legal();
    case 1:
        if (last)
            upc_barrier; //~ 1 2+ this thread executes a barrier statement, but thread 0 upc_all_alloc
        else
            upc_all_alloc(1, 1);
        break;
    case 2:
        if (last)
            upc_all_free(p); //~ 2 2+ this thread executes upc_all_free, but thread 0 a barrier statement (collective.upc:
        else
            upc_barrier;
        break;
    case 3: upc_all_alloc(THREADS, last + 1); break; //~ 3 2+ upc_all_alloc: argument nbytes is 
    case 4: upc_all_free(last ? p : q); break; //~ 4 2+ upc_all_free: argument ptr is a pointer to thread
    case 5:
        upc_forall (i = 0; i < THREADS; i++; i)
            upc_barrier; //~ 5 a barrier statement inside of upc_forall
        break;
    case 6:
        upc_forall (i = 0; i < THREADS; i++; &a[i])
            upc_all_alloc(1, 1); //~ 6 upc_all_alloc inside of upc_forall
        break;
    case 7: upc_barrier last; break; //~ 7 2+ barrier mismatch: this thread notified the value
    case 8: upc_notify; upc_barrier; break; //~ 8 upc_barrier executed between upc_notify and upc_wait
    case 9: upc_notify; upc_notify; break; //~ 9 upc_notify executed twice
    case 10: upc_wait; break; //~ 10 upc_wait executed without
    case 11: upc_notify; upc_all_alloc(1, 1); break; //~ 11 upc_all_alloc called between upc_notify and upc_wait
    case 12: upc_notify 1; upc_wait 2; break; //~ 12 waits with the value 2
    case 13: upc_all_lock_free(last ? upc_global_lock_alloc() : NULL); break; //~ 13 2+ upc_all_lock_free: argument ptr is a
    case 14:
        if (!last)
            upc_barrier; //~ 14 2+ has ended (exit status 0)
        break;
    case 15: upc_notify; break; //~! 15 left main between upc_notify and upc_wait
    }
    return 0;
}
