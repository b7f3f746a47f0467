// question: is the race found of data whose reader waits for a flag that another thread has set?
// threads: 3
// race: 13 20
#include "races.h"

static shared int data;
static strict shared int flag[THREADS];

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0) {
        data = 42;
        flag[0] = 1;
    } else if (MYTHREAD == 1) {
        flag[1] = 1;
    } else {
        while (!flag[1])
            sched_yield();
        seen = data;
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
