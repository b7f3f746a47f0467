// #pragma pupc: by place in the text, at file scope and in blocks; a construct has the state of its beginning.
#include <upc.h>

shared int a[THREADS];

#pragma pupc off
static void silent(void)
{
    a[0] = 1;
    upc_fence;
}
#pragma pupc on

static void loud(void)          //#loud
{
    upc_fence;                  //#fence
}

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    silent();
    loud();
    //= loud:1 C_FUNC START funcsig="static void loud(void)"
    //= fence:5 UPC_FENCE
    //= loud:1 C_FUNC END funcsig="static void loud(void)"
    {
#pragma pupc off
        upc_fence;
    }
    upc_fence;                  //= 5 UPC_FENCE
#pragma pupc off
    upc_barrier;
#pragma pupc on
    upc_barrier;                //= 5 UPC_BARRIER named=0, expr=0
    upc_forall (int i = 0; i < THREADS; i++; continue) {    //#loop
        if (i == MYTHREAD)
            upc_fence;          //#own
#pragma pupc off
        upc_fence;
    }
    //= loop:5 UPC_FORALL START
    //= own:13 UPC_FENCE
    //= loop:5 UPC_FORALL END
    // Behind the brace the state is that in front of the block again.
    upc_fence;                  //= 5 UPC_FENCE
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
