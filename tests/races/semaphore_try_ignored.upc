// question: is the race found of a thread that goes on after a try of a semaphore has failed?
// threads: 2
// race: 16 21
#include "races.h"

static shared int data, tried;
static bupc_sem_t *shared sem;

int main(void)
{
    if (MYTHREAD == 0)
        sem = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        gate_wait(&tried);
        data = 1;
        bupc_sem_post(sem);
    } else {
        CHECK(!bupc_sem_try(sem));
        gate_open(&tried);
        data = 2;
    }
    return pass();
}
