// question: does bupc_memput_signal order its data before the wait?
// threads: 2
#include "races.h"

static shared [8] int box[8 * THREADS];
static bupc_sem_t *shared full;

int main(void)
{
    int i, data[8];
    if (MYTHREAD == 1)
        full = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        for (i = 0; i < 8; i++)
            data[i] = i;
        bupc_memput_signal(&box[8], data, sizeof data, full, 1);
    } else {
        bupc_sem_wait(full);
        for (i = 0; i < 8; i++)
            CHECK(box[8 + i] == i);
    }
    return pass();
}
