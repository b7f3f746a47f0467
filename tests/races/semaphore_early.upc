// question: is the race found of data that is written after the post?
// threads: 2
// race: 17 20
#include "races.h"

static shared int data;
static bupc_sem_t *shared sem;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0)
        sem = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        bupc_sem_post(sem);
        data = 42;
    } else {
        bupc_sem_wait(sem);
        seen = data;
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
