// question: does bupc_waitsync end an asynchronous put before the barrier?
#include "races.h"

static shared [8] int a[8 * THREADS];

int main(void)
{
    int data[8] = { 0 }, next = (MYTHREAD + 1) % THREADS;
    bupc_handle_t handle = bupc_memput_async(&a[8 * next], data, sizeof data);
    bupc_waitsync(handle);
    upc_barrier;
    a[8 * MYTHREAD + 7] = 1;
    bupc_memset_asynci(&a[8 * MYTHREAD], 1, 4);
    bupc_waitsynci();
    upc_barrier;
    CHECK(a[8 * next + 7] == 1 && a[8 * next] == 0x01010101);
    return pass();
}
