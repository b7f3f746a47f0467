// question: does a post after the end of a non-blocking get order it before the write of another thread?
// threads: 2
#include "races.h"
#include <upc_nb.h>

static shared [] int a[8];
static bupc_sem_t *shared sem;

int main(void)
{
    int data[8];
    if (MYTHREAD == 0)
        sem = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_handle_t handle = upc_memget_nb(data, a, sizeof data);
        upc_sync(handle);
        bupc_sem_post(sem);
        CHECK(data[7] == 0);
    } else {
        bupc_sem_wait(sem);
        a[7] = 5;
    }
    return pass();
}
