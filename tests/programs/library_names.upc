// question: shared objects with the names of C library functions, which C compilers take for those functions
// counts: UPC_BARRIER=2*THREADS, UPC_PUT=6*THREADS+4, UPC_PUT.remote=0, UPC_GET=11*THREADS, UPC_GET.remote=9*(THREADS-1)
#include "check.h"

shared int index[4 * THREADS];
shared double y0, y1[THREADS], gamma, exp[2 * THREADS], log;
static shared int j0[THREADS];
shared [2] int printf_count, abs[2 * THREADS];

static int sum(void)
{
    extern shared double gamma;
    static shared int floor[THREADS];
    int log = 5;
    floor[MYTHREAD] = log;
    return floor[MYTHREAD] + (int)gamma;
}

int main(void)
{
    index[MYTHREAD] = MYTHREAD;
    exp[MYTHREAD] = 1.5;
    abs[2 * MYTHREAD] = 3;
    j0[MYTHREAD] = 2;
    y1[MYTHREAD] = 1;
    if (MYTHREAD == 0) {
        y0 = 1;
        gamma = 2;
        log = 3;
        printf_count = 7;
    }
    upc_barrier;
    CHECK(index[MYTHREAD] == MYTHREAD && (int)upc_threadof(&index[MYTHREAD]) == MYTHREAD);
    CHECK(exp[THREADS - 1] == 1.5 && upc_threadof(&exp[THREADS]) == 0);
    CHECK(y0 + y1[THREADS - 1] + gamma + log == 7);
    CHECK(abs[0] + j0[THREADS - 1] + printf_count == 12);
    CHECK(sum() == 7);
    return pass();
}
