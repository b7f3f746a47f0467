// Static shared objects are reported at start-up: each with its type and layout.
#include <upc.h>

shared [3] double grid[6 * THREADS];    //#grid
shared struct pair { int x, y; } point;    //#point
shared char letters[THREADS][10];    //#letters
//= grid:0 BUPC_STATIC_SHARED blocks=$2n, bytes=24, address=grid[0], symbol=*, elemsz=8, name="grid", type="shared [3] double$[6n]"
//= point:0 BUPC_STATIC_SHARED blocks=1, bytes=8, address=point, symbol=*, elemsz=8, name="point", type="shared struct pair"
//= letters:0 BUPC_STATIC_SHARED blocks=$10n, bytes=1, address=letters[0][0], symbol=*, elemsz=1, name="letters", type="shared char$[n][10]"

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    upc_fence;                  //= 5 UPC_FENCE
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
