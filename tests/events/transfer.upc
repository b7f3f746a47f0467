// Copies, whatever the affinity.
#include <upc.h>

shared [4] int from[4 * THREADS];
shared [4] int to[4 * THREADS];

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int mine[4] = {1, 2, 3, 4};
    int next = (MYTHREAD + 1) % THREADS;
    upc_memput(&to[4 * next], mine, sizeof mine);               //= 5 UPC_MEMPUT dst=to[$4u], src=*, n=16
    upc_barrier;                                                //= 5 UPC_BARRIER named=0, expr=0
    upc_memget(mine, &to[4 * next + 1], 8);                     //= 5 UPC_MEMGET dst=*, src=to[$(4u+1)], n=8
    upc_memcpy(&from[4 * MYTHREAD], &to[4 * MYTHREAD], 16);     //= 5 UPC_MEMCPY dst=from[$4t], src=to[$4t], n=16
    upc_memset(&from[4 * next], 255, 4);                        //= 5 UPC_MEMSET dst=from[$4u], c=255, n=4
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
