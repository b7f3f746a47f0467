// question: is the race found of an asynchronous put of Berkeley's library that ends only after the barrier?
// threads: 2
// race: 13 16
#include "races.h"

static shared [8] int a[8 * THREADS];

int main(void)
{
    int data[8] = { 0 };
    bupc_handle_t handle = BUPC_COMPLETE_HANDLE;
    if (MYTHREAD == 0)
        handle = bupc_memput_async(&a[8], data, sizeof data);
    upc_barrier;
    if (MYTHREAD == 1)
        a[15] = 1;
    bupc_waitsync(handle);
    return pass();
}
