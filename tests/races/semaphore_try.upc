// question: does a try of a semaphore that succeeds order like a wait?
#include "races.h"

static shared int data;
static bupc_sem_t *shared sem;

int main(void)
{
    if (MYTHREAD == 0)
        sem = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        data = 42;
        bupc_sem_postN(sem, 2 * (THREADS - 1));
    } else {
        while (!bupc_sem_tryN(sem, 2))
            sched_yield();
        CHECK(data == 42);
    }
    return pass();
}
