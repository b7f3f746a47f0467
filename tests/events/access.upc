// Reads and writes of shared objects: every form, each with a pair of its own, in the order of evaluation.
#include <upc.h>

struct pair {
    int x, y;
    unsigned low : 3, high : 5;
};

shared int a[4 * THREADS];
shared [2] double b[4 * THREADS];
shared struct pair s;
strict shared int turn;
relaxed shared int calm;
shared int *shared cursor;
shared [] int *row;
shared char text[THREADS];

static int twice(int n)             //#twice
{
    return 2 * n;
}

int main(void)                  //#main
{
    //= main:1 C_FUNC START funcsig="int main(void)"
    int v = 3;
    struct pair mine;
    upc_barrier;                //= 5 UPC_BARRIER named=0, expr=0
    if (MYTHREAD == 0) {
        a[1] = 5;               //= t=0 9 UPC_PUT @1 is_relaxed=1, dst=a[1], src=*, n=4
        v = a[1];               //= t=0 13 UPC_GET @1 is_relaxed=1, dst=*, src=a[1], n=4
        b[3] = v * 1.5;         //= t=0 9 UPC_PUT @1 is_relaxed=1, dst=b[3], src=*, n=8
        a[1]++;                 //= t=0 9 UPC_GET @1 is_relaxed=1, dst=*, src=a[1], n=4
                                //= t=0 9 UPC_PUT @1 is_relaxed=1, dst=a[1], src=*, n=4
        a[2] += v;              //= t=0 9 UPC_GET @2 is_relaxed=1, dst=*, src=a[2], n=4
                                //= t=0 9 UPC_PUT @2 is_relaxed=1, dst=a[2], src=*, n=4
        a[0] = 1;               //= t=0 9 UPC_PUT @0 is_relaxed=1, dst=a[0], src=*, n=4
    }
    upc_barrier 7;              //= 5 UPC_BARRIER named=1, expr=7
    // One pair for each access; what is computed from them stands between no start and its end.
    v = (a[1] > 0 && a[2] > 0);
                                //= 10 UPC_GET @1 is_relaxed=1, dst=*, src=a[1], n=4
                                //= 22 UPC_GET @2 is_relaxed=1, dst=*, src=a[2], n=4
    upc_barrier;                //= 5 UPC_BARRIER named=0, expr=0
    if (MYTHREAD == THREADS - 1) {
        a[3] = twice(a[1]);     //#nested
        //= t=last nested:22 UPC_GET @1 is_relaxed=1, dst=*, src=a[1], n=4
        //= t=last twice:1 C_FUNC funcsig="static int twice(int n)"
        //= t=last nested:9 UPC_PUT @3 is_relaxed=1, dst=a[3], src=*, n=4
        s.x = 4;                //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=s, src=*, n=4
        s.y = s.x;              //= t=last 15 UPC_GET @0 is_relaxed=1, dst=*, src=s, n=4
                                //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=s+4, src=*, n=4
        mine = s;               //= t=last 16 UPC_GET @0 is_relaxed=1, dst=*, src=s, n=12
        s = mine;               //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=s, src=*, n=12
        turn = 1;               //= t=last 9 UPC_PUT @0 is_relaxed=0, dst=turn, src=*, n=4
        v = turn;               //= t=last 13 UPC_GET @0 is_relaxed=0, dst=*, src=turn, n=4
        calm = 2;               //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=calm, src=*, n=4
        cursor = &a[1];         //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=cursor, src=*, n=$p
        v = *cursor;            //= t=last 14 UPC_GET @0 is_relaxed=1, dst=*, src=cursor, n=$p
                                //= t=last 13 UPC_GET @1 is_relaxed=1, dst=*, src=a[1], n=4
        row = (shared [] int *)&a[1];
        row[1] = 9;             //= t=last 9 UPC_PUT @1 is_relaxed=1, dst=a[$(n+1)], src=*, n=4
        text[0] = 'c';          //= t=last 9 UPC_PUT @0 is_relaxed=1, dst=text[0], src=*, n=1
    }
    return 0;
}
//= main:1 C_FUNC END funcsig="int main(void)"
//= - UPC_COLLECTIVE_EXIT status=0
