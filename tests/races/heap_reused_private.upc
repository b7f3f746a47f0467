// question: is a write through a pointer to private memory seen where the same thread has written before it freed the memory?
// threads: 2
// race: 20 24
#include "races.h"

static shared int gate;
static shared [] int *shared place;

int main(void)
{
    if (MYTHREAD == 0)
        place = upc_alloc(sizeof(int));
    upc_barrier;
    shared [] int *old = place, *again;
    if (MYTHREAD == 0) {
        *old = 1;
        upc_free(old);
        again = upc_alloc(sizeof(int));
        CHECK(again == old);
        *(int *)again = 2;
        gate_open(&gate);
    } else {
        gate_wait(&gate);
        CHECK(*old == 2);
    }
    return pass();
}
