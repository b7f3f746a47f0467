// question: block-scope static shared objects: one for all threads, distinct between functions and blocks of the same name
// races: yes, all threads write the same value to `pair.y` at once
// counts: UPC_BARRIER=7*THREADS, UPC_PUT=6*THREADS+2, UPC_PUT.remote=2*(THREADS-1)+(THREADS>1), UPC_GET=12*THREADS, UPC_GET.remote=6*(THREADS-1)
#include "check.h"

static int bump(void)
{
    static shared int count[THREADS];
    static int private_count;
    CHECK(count[MYTHREAD] == private_count);
    private_count++;
    return ++count[MYTHREAD];
}

static int other(int which)
{
    static shared int count;
    if (which) {
        static shared int count;
        if (MYTHREAD == 0)
            count = 50;
        upc_barrier;
        CHECK(count == 50);
        return count;
    } else {
        static shared [2] short count[2 * THREADS];
        count[2 * MYTHREAD + 1] = 9;
    }
    if (MYTHREAD == THREADS - 1)
        count = 3;
    upc_barrier;
    return count;
}

static shared int *hand_out(void)
{
    static shared struct { int x, y; } pair;
    static strict shared int flag;
    flag = 1;
    pair.y = 6;
    upc_barrier;
    CHECK(flag == 1);
    return (shared int *)&pair.y;
}

int main(void)
{
    CHECK(bump() == 1 && bump() == 2 && bump() == 3);
    upc_barrier;
    CHECK(other(0) == 3);
    upc_barrier;
    CHECK(other(1) == 50);
    upc_barrier;
    CHECK(*hand_out() == 6);
    {
        extern shared int outside[];
        CHECK(outside[THREADS] == (THREADS > 0 ? 0 : 1));
    }
    return pass();
}

shared int outside[2 * THREADS];
