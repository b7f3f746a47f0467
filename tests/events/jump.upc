// What longjmp leaves open is ended before what surrounds it ends.
// checks: no
// judge: balance
// raises: C_FUNC UPC_FORALL UPC_FENCE
#include <setjmp.h>
#include <upc.h>

static jmp_buf back;

static void deep(int n)
{
    upc_forall (int i = 0; i < THREADS; i++; continue) {
        if (n == 0)
            longjmp(back, 1);
        deep(n - 1);
    }
}

static void catcher(void)
{
    if (setjmp(back) == 0)
        deep(3);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        catcher();
    upc_fence;
    return 0;
}
