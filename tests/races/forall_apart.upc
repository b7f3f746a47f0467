// question: does a upc_forall that reads what no iteration writes not race?
#include "races.h"

static shared int a[8 * THREADS], b[8 * THREADS];

int main(void)
{
    int i;
    upc_forall (i = 1; i < 8 * THREADS; i++; &a[i])
        a[i] += b[i - 1] + i;
    upc_barrier;
    upc_forall (i = 1; i < 8 * THREADS; i++; i)
        CHECK(a[i] == i);
    return pass();
}
