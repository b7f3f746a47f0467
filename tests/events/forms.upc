// Forms of accesses: bit-fields, members, rows, pointers, macros, loads in conditions and calls.
#include <upc.h>

struct cell {
    double weight;
    unsigned low : 3, high : 5;
    short tail[3];
};

#define FIRST grid[0][1][0]
#define STORE(place, value) ((place) = (value))

shared [6] int grid[THREADS][2][3];
shared [2] struct cell cells[2 * THREADS];
shared int *remote;
shared int plain[THREADS];

static int sum(int x, int y)    //#sum
{
    return x + y;
}

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int v, i = 1;
    if (MYTHREAD != THREADS - 1) {
        upc_barrier;            //= t!=last 9 UPC_BARRIER named=0, expr=0
    } else {
        grid[0][1][2] = 4;          //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=grid[0][1][2], src=*, n=4
        v = FIRST;                  //= t=last 13 UPC_GET @0 is_relaxed=1, dst=*, src=grid[0][1][0], n=4
        STORE(grid[0][0][i], v);    //= t=last 15 UPC_PUT @0 is_relaxed=1, dst=grid[0][0][1], src=*, n=4
        cells[1].tail[2] = 5;       //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=cells[1]+14, src=*, n=2
        cells[0].high = 9;          //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=cells[0], src=*, n=4
        v = cells[0].high;          //= t=last 13 UPC_GET @0 is_relaxed=1, dst=*, src=cells[0], n=4
        cells[0].weight *= 2;       //= t=last 9 UPC_GET @0 is_relaxed=1, dst=*, src=cells[0], n=8
                                    //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=cells[0], src=*, n=8
        remote = &plain[0];
        *remote = 1;                //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=plain[0], src=*, n=4
        remote[0]--;                //= t=last 9 UPC_GET @0 is_relaxed=1, dst=*, src=plain[0], n=4
                                    //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=plain[0], src=*, n=4
        if (*remote)                //= t=last 13 UPC_GET @0 is_relaxed=1, dst=*, src=plain[0], n=4
            v = *remote;
        v = *remote ? grid[0][0][0] : cells[0].tail[0];
        //= t=last 13 UPC_GET @0 is_relaxed=1, dst=*, src=plain[0], n=4
        //= t=last 39 UPC_GET @0 is_relaxed=1, dst=*, src=cells[0]+10, n=2
        while (plain[0] < 2)        //#while
            plain[0] = 2;           //#inside
        //= t=last while:16 UPC_GET @0 is_relaxed=1, dst=*, src=plain[0], n=4
        //= t=last inside:13 UPC_PUT @0 is_relaxed=1, dst=plain[0], src=*, n=4
        //= t=last while:16 UPC_GET @0 is_relaxed=1, dst=*, src=plain[0], n=4
        // One after the other, and outside of the function's events.
        v = sum(plain[0], 0);       //#call
        //= t=last call:17 UPC_GET @0 is_relaxed=1, dst=*, src=plain[0], n=4
        //= t=last sum:1 C_FUNC funcsig="static int sum(int x, int y)"
        // What is not evaluated is not reported.
        v = sizeof grid[0][0][0] + (0 && plain[0]);
        upc_barrier;                //= t=last 9 UPC_BARRIER named=0, expr=0
    }
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
