// The shared heap.
#include <upc.h>
#include <upc_relaxed.h>

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    shared void *p = upc_alloc(40);             //= 22 UPC_ALLOC nbytes=40 -> newshrd_ptr=<$t:0>
    upc_free(p);                                //= 5 UPC_FREE shrd_ptr=<$t:0>
    p = upc_local_alloc(5, 8);                  //= 9 UPC_ALLOC nbytes=40 -> newshrd_ptr=<$t:0>
    upc_free(p);                                //= 5 UPC_FREE shrd_ptr=<$t:0>
    p = upc_global_alloc(THREADS, 16);          //= 9 UPC_GLOBAL_ALLOC nblocks=$n, nbytes=16 -> newshrd_ptr=<0:0>
    upc_free(p);                                //= 5 UPC_FREE shrd_ptr=<0:0>
    p = upc_all_alloc(2 * THREADS, 24);         //= 9 UPC_ALL_ALLOC nblocks=$2n, nbytes=24 -> newshrd_ptr=<0:0>
    upc_all_free(p);                            //= 5 UPC_FREE shrd_ptr=<0:0>
    upc_free(NULL);                             //= 5 UPC_FREE shrd_ptr=<null>
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
