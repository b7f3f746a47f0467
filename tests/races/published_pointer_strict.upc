// question: does a strict pointer order the memory that it leads to?
#include "races.h"

static shared [] int *strict shared head;

int main(void)
{
    shared [] int *mine = NULL;
    if (MYTHREAD == 0) {
        mine = upc_alloc(4 * sizeof(int));
        mine[2] = 42;
        head = mine;
    } else {
        while (!(mine = head))
            sched_yield();
        CHECK(mine[2] == 42);
    }
    return pass();
}
