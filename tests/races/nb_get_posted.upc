// question: is the race found of a non-blocking get with a write that a post before its end permits?
// threads: 2
// race: 17 22
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
        bupc_sem_post(sem);
        upc_sync(handle);
    } else {
        bupc_sem_wait(sem);
        a[7] = 5;
    }
    return pass();
}
