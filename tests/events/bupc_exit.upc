// Berkeley's name of upc_global_exit, from main, where no scope but main's is open.
// status: 5
// judge: thread 0
#include <upc.h>

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    if (MYTHREAD == 0)
        bupc_exit(5);           //#exit
    //= main:1 C_FUNC END funcsig="int main(void)"
    //= exit:9 UPC_NONCOLLECTIVE_EXIT status=5
    upc_barrier;
    return 0;
}
