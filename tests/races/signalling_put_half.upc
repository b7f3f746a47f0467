// question: is the race found of data that is put after the signal of the first half?
// threads: 2
// race: 17 21
#include "races.h"

static shared [8] int box[8 * THREADS];
static bupc_sem_t *shared full;

int main(void)
{
    int i, data[8] = { 0 }, sum = 0;
    if (MYTHREAD == 1)
        full = bupc_sem_alloc(0);
    upc_barrier;
    if (MYTHREAD == 0) {
        bupc_memput_signal(&box[8], data, sizeof data / 2, full, 1);
        upc_memput(&box[12], data + 4, sizeof data / 2);
    } else {
        bupc_sem_wait(full);
        for (i = 0; i < 8; i++)
            sum += box[8 + i];
    }
    CHECK(sum >= 0);
    return pass();
}
