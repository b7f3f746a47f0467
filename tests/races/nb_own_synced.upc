// question: do non-blocking transfers not race with accesses after their end, nor gets with reads before it?
#include "races.h"
#include <upc_nb.h>

static shared [8] int a[8 * THREADS];

int main(void)
{
    int data[8] = { 0 };
    shared [8] int *mine = &a[8 * MYTHREAD];
    upc_handle_t handle = upc_memput_nb(mine, data, 7 * sizeof(int));
    mine[7] = 2;
    while (!upc_sync_attempt(handle))
        sched_yield();
    mine[3] = 5;
    handle = upc_memget_nb(data, mine, sizeof data);
    CHECK(mine[3] == 5);
    upc_sync(handle);
    CHECK(data[3] == 5 && data[7] == 2);
    return pass();
}
