// question: a declaration in a block makes a shared object visible again that a parameter or a variable hides
// counts: UPC_BARRIER=THREADS, UPC_PUT=2*THREADS, UPC_PUT.remote=0, UPC_GET=5*THREADS, UPC_GET.remote=0
#include "check.h"

shared int x[THREADS];

static int inner(int x)
{
    {
        extern shared int x[];
        x[MYTHREAD] += 2;
        return x[MYTHREAD];
    }
}

static int loop(void)
{
    int sum = 0;
    for (int x = 0; x < 3; x++) {
        sum += x;
        {
            extern shared int x[];
            static shared int *first = &x[0];
            sum += x[MYTHREAD] + (int)upc_threadof(first);
        }
    }
    return sum;
}

int main(void)
{
    x[MYTHREAD] = 5;
    CHECK(inner(100) == 7 && loop() == 3 + 3 * 7);
    return pass();
}
