// upc_global_exit closes open pairs, and is reported last. The other threads are stopped where they are.
// status: 3
// judge: thread 0
#include <upc.h>

static void leave(int status)   //#leave
{
    upc_forall (int i = 0; i < 1; i++; 0)   //#loop
        upc_global_exit(status);            //#exit
}

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    if (MYTHREAD == 0)
        leave(3);
    //= t=0 leave:1 C_FUNC START funcsig="static void leave(int status)"
    //= t=0 loop:5 UPC_FORALL START
    //= t=0 loop:5 UPC_FORALL END
    //= t=0 leave:1 C_FUNC END funcsig="static void leave(int status)"
    //= t=0 main:1 C_FUNC END funcsig="int main(void)"
    //= t=0 exit:9 UPC_NONCOLLECTIVE_EXIT status=3
    upc_barrier;
    return 0;
}
