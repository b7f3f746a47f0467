// Barriers, their halves, fences.
#include <upc.h>

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int phase = 4;
    upc_notify;                 //= 5 UPC_NOTIFY named=0, expr=0
    upc_wait;                   //= 5 UPC_WAIT named=0, expr=0
    upc_notify phase;           //= 5 UPC_NOTIFY named=1, expr=4
    upc_wait phase;             //= 5 UPC_WAIT named=1, expr=4
    upc_barrier;                //= 5 UPC_BARRIER named=0, expr=0
    upc_barrier phase + 1;      //= 5 UPC_BARRIER named=1, expr=5
    upc_fence;                  //= 5 UPC_FENCE
    for (int i = 0; i < 2; i++)
        upc_barrier i;          //#round
    //= round:9 UPC_BARRIER named=1, expr=0
    //= round:9 UPC_BARRIER named=1, expr=1
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
