// question: does upc_synci end the transfers without a handle before the barrier?
#include "races.h"
#include <upc_nb.h>

static shared [8] int a[8 * THREADS];

int main(void)
{
    int data[4] = { 1, 2, 3, 4 }, next = (MYTHREAD + 1) % THREADS;
    upc_memput_nbi(&a[8 * next], data, sizeof data);
    upc_memset_nbi(&a[8 * next + 4], 0, 4 * sizeof(int));
    upc_synci();
    upc_barrier;
    CHECK(a[8 * MYTHREAD + 3] == 4 && a[8 * next + 4] == 0);
    return pass();
}
