// Locks.
#include <upc.h>

upc_lock_t *shared handed;

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    upc_lock_t *all = upc_all_lock_alloc();     //= 23 UPC_ALL_LOCK_ALLOC -> lck=lock@0
    upc_lock_t *own = upc_global_lock_alloc();  //= 23 UPC_GLOBAL_LOCK_ALLOC -> lck=lock@$t
    int got;
    upc_lock(all);                              //= 5 UPC_LOCK lck=lock@0
    upc_unlock(all);                            //= 5 UPC_UNLOCK lck=lock@0
    got = upc_lock_attempt(own);                //= 11 UPC_LOCK_ATTEMPT lck=lock@$t -> result=1
    if (MYTHREAD == 0)
        handed = own;                           //= t=0 9 UPC_PUT @0 is_relaxed=1, dst=handed, src=*, n=$p
    upc_barrier;                                //= 5 UPC_BARRIER named=0, expr=0
    if (MYTHREAD == 1)
        // Held by thread 0.
        got = upc_lock_attempt(handed);         //#held
    //= t=1 held:32 UPC_GET @0 is_relaxed=1, dst=*, src=handed, n=$p
    //= t=1 held:15 UPC_LOCK_ATTEMPT lck=lock@0 -> result=0
    upc_barrier;                                //= 5 UPC_BARRIER named=0, expr=0
    if (got || MYTHREAD == 1)
        upc_unlock(own);                        //= 9 UPC_UNLOCK lck=lock@$t
    upc_lock_free(own);                         //= 5 UPC_LOCK_FREE lck=lock@$t
    upc_all_lock_free(all);                     //= 5 UPC_LOCK_FREE lck=lock@0
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
