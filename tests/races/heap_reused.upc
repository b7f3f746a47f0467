// question: do accesses to freed memory not race with those to what is allocated in its place?
// threads: 2
#include "races.h"

static shared [] int *shared block;
static shared int freed;

int main(void)
{
    shared [] int *mine;
    int i;
    if (MYTHREAD == 0)
        block = upc_alloc(64);
    upc_barrier;
    mine = block;
    if (MYTHREAD == 1) {
        for (i = 0; i < 16; i++)
            mine[i] = i;
        upc_free(mine);
        gate_open(&freed);
    } else {
        gate_wait(&freed);
        mine = upc_alloc(64);
        for (i = 0; i < 16; i++)
            mine[i] = -i;
        CHECK(mine[15] == -15);
        upc_free(mine);
    }
    return pass();
}
