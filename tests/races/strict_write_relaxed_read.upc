// question: are the races found of a flag that is written strictly and read relaxed, and of its data?
// threads: 2
// race: 15 22
// race: 16 18
#include "races.h"

static shared int data;
static strict shared int flag;

int main(void)
{
    relaxed shared int *weak = (relaxed shared int *)&flag;
    int seen = 0;
    if (MYTHREAD == 0) {
        data = 42;
        flag = 1;
    } else {
        while (!*weak) {
            upc_fence;
            sched_yield();
        }
        seen = data;
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
