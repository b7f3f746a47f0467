// question: are the races found of a relaxed flag with fences, and of the data that it announces?
// threads: 2
// race: 13 22
// race: 15 17
#include "races.h"

static shared int data, flag;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0) {
        data = 42;
        upc_fence;
        flag = 1;
    } else {
        while (!flag) {
            upc_fence;
            sched_yield();
        }
        upc_fence;
        seen = data;
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
