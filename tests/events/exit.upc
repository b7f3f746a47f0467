// exit in the midst of things ends what is open, then the program.
#include <stdlib.h>
#include <upc.h>

static void leave(void)         //#leave
{
    upc_forall (int i = 0; i < THREADS; i++; i)     //#loop
        exit(0);
}

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    leave();
    //= leave:1 C_FUNC START funcsig="static void leave(void)"
    //= loop:5 UPC_FORALL START
    //= loop:5 UPC_FORALL END
    //= leave:1 C_FUNC END funcsig="static void leave(void)"
    //= main:1 C_FUNC END funcsig="int main(void)"
    return 1;
}
//= - UPC_COLLECTIVE_EXIT status=0
