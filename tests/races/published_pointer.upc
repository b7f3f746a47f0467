// question: are the races found of a pointer that is published relaxed, and of the memory that it leads to?
// threads: 2
// race: 15 24
// race: 17 22
#include "races.h"

static shared [] int *shared head;

int main(void)
{
    shared [] int *mine = NULL;
    int seen = 0;
    if (MYTHREAD == 0) {
        mine = upc_alloc(4 * sizeof(int));
        mine[2] = 42;
        upc_fence;
        head = mine;
    } else {
        while (!mine) {
            upc_fence;
            sched_yield();
            mine = head;
        }
        seen = mine[2];
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
