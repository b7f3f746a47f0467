// question: does a semaphore order what comes before the post before what comes after the wait?
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
        bupc_sem_postN(sem, THREADS - 1);
    } else {
        bupc_sem_wait(sem);
        CHECK(data == 42);
    }
    return pass();
}
