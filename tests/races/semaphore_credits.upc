// question: do two semaphores, one for data and one for the place, order a buffer that is used again and again?
// threads: 2
#include "races.h"

static shared int buffer;
static bupc_sem_t *shared filled, *shared emptied;

int main(void)
{
    int i;
    if (MYTHREAD == 0)
        filled = bupc_sem_alloc(BUPC_SEM_BOOLEAN), emptied = bupc_sem_alloc(0);
    upc_barrier;
    for (i = 0; i < 10; i++) {
        if (MYTHREAD == 0) {
            buffer = i;
            bupc_sem_post(filled);
            bupc_sem_wait(emptied);
        } else {
            bupc_sem_wait(filled);
            CHECK(buffer == i);
            bupc_sem_post(emptied);
        }
    }
    return pass();
}
