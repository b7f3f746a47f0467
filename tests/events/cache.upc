// The software cache: what it does for an access is reported between the start and the end of that access.
// threads: 2
// flags: -pshm-width=1
// set: UPC_CACHE=on UPC_CACHE_LINE=64 UPC_SEND_AFTER=100000000
#include <upc_relaxed.h>

// A line of each thread.
shared [16] int a[16 * THREADS] __attribute__((aligned(64)));
strict shared int turn;

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int v, all[16];
    upc_barrier;                //= 5 UPC_BARRIER named=0, expr=0
    if (MYTHREAD == 0) {
        v = a[16];              //= t=0 13 UPC_GET START @1 is_relaxed=1, dst=*, src=a[16], n=4
                                //= t=0 13 UPC_CACHE_MISS n=4, n_lines=64
                                //= t=0 13 UPC_GET END @1 is_relaxed=1, dst=*, src=a[16], n=4
        v = a[17];              //= t=0 13 UPC_GET START @1 is_relaxed=1, dst=*, src=a[17], n=4
                                //= t=0 13 UPC_CACHE_HIT n=4
                                //= t=0 13 UPC_GET END @1 is_relaxed=1, dst=*, src=a[17], n=4
        a[18] = v;              //= t=0 9 UPC_PUT @1 is_relaxed=1, dst=a[18], src=*, n=4
        v = a[0];               //= t=0 13 UPC_GET @0 is_relaxed=1, dst=*, src=a[0], n=4
        upc_fence;              //= t=0 9 UPC_FENCE START
                                //= t=0 9 UPC_CACHE_INVALIDATE n_dirty=1
                                //= t=0 9 UPC_FENCE END
        upc_memget(all, &a[16], sizeof all);
                                //= t=0 9 UPC_MEMGET START dst=*, src=a[16], n=64
                                //= t=0 9 UPC_CACHE_MISS ATOMIC n=64, n_lines=64
                                //= t=0 9 UPC_MEMGET END dst=*, src=a[16], n=64
    } else {
        turn = 1;               //= t=1 9 UPC_PUT @0 is_relaxed=0, dst=turn, src=*, n=4
        a[0] = 1;               //= t=1 9 UPC_PUT @0 is_relaxed=1, dst=a[0], src=*, n=4
    }
    upc_barrier;                //= 5 UPC_BARRIER START named=0, expr=0
                                //= t=0 5 UPC_CACHE_INVALIDATE n_dirty=0
                                //= t=1 5 UPC_CACHE_INVALIDATE n_dirty=1
                                //= 5 UPC_BARRIER END named=0, expr=0
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
