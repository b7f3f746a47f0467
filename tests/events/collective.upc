// Collective functions, with their flags, operations and the type of a reduction.
#include <upc.h>
#include <upc_collective.h>

shared [4] int from[4 * THREADS];
shared [4] int to[4 * THREADS];
shared [4] int square[4 * THREADS];
shared [4] int turned[4 * THREADS];
shared int order[THREADS];
shared [] int seed[4];
shared [] int all[16];
shared double sum;
shared long total;
shared [4] double real[4 * THREADS];
shared [4] long whole[4 * THREADS];
shared [4] long prefix[4 * THREADS];

static long longest(long a, long b)
{
    return a > b ? a : b;
}

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    upc_flag_t both = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    order[MYTHREAD] = MYTHREAD;
    //= 5 UPC_PUT @t is_relaxed=1, dst=order[$t], src=*, n=4
    upc_all_broadcast(to, seed, 16, both);
    //= 5 UPC_ALL_BROADCAST dst=to[0], src=seed[0], nbytes=16, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_scatter(to, all, 16, UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
    //= 5 UPC_ALL_SCATTER dst=to[0], src=all[0], nbytes=16, upc_flags=UPC_IN_MYSYNC|UPC_OUT_MYSYNC
    upc_all_gather(all, from, 16, both);
    //= 5 UPC_ALL_GATHER dst=all[0], src=from[0], nbytes=16, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_gather_all(square, order, 4, both);
    //= 5 UPC_ALL_GATHER_ALL dst=square[0], src=order[0], nbytes=4, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_exchange(turned, square, 4, both);
    //= 5 UPC_ALL_EXCHANGE dst=turned[0], src=square[0], nbytes=4, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC
    upc_all_permute(to, from, order, 16, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC);
    //= 5 UPC_ALL_PERMUTE dst=to[0], src=from[0], perm=order[0], nbytes=16, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_NOSYNC
    upc_barrier;
    //= 5 UPC_BARRIER named=0, expr=0
    upc_all_reduceD(&sum, real, UPC_ADD, 4 * THREADS, 4, NULL, both);
    //= 5 UPC_ALL_REDUCE dst=sum, src=real[0], upc_op=UPC_ADD, nelems=$4n, blk_size=4, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=D
    upc_all_prefix_reduceL(prefix, whole, UPC_MAX, 4 * THREADS, 4, NULL, both);
    //= 5 UPC_ALL_PREFIX_REDUCE dst=prefix[0], src=whole[0], upc_op=UPC_MAX, nelems=$4n, blk_size=4, func=(nil), upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=L
    // The user's function raises its own events inside, on the thread that combines: one element of one thread, none.
    upc_all_reduceL(&total, whole, UPC_FUNC, 1, 4, longest, both);
    //= 5 UPC_ALL_REDUCE dst=total, src=whole[0], upc_op=UPC_FUNC, nelems=1, blk_size=4, func=*, upc_flags=UPC_IN_ALLSYNC|UPC_OUT_ALLSYNC, type=L
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
