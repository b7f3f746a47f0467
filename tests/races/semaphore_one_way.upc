// question: is the race found of a buffer that is filled again although only the first filling was announced?
// threads: 2
// race: 19 23
#include "races.h"

static shared int buffer, taken;
static bupc_sem_t *shared filled;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0)
        filled = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        buffer = 1;
        bupc_sem_post(filled);
        gate_wait(&taken);
        buffer = 2;
    } else {
        bupc_sem_wait(filled);
        gate_open(&taken);
        seen = buffer;
    }
    CHECK(seen == 0 || seen == 1 || seen == 2);
    return pass();
}
