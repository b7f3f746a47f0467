// question: is the race found of data that is written after its strict flag?
// threads: 2
// race: 14 18
#include "races.h"

static shared int data;
static strict shared int flag;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0) {
        flag = 1;
        data = 42;
    } else {
        while (!flag)
            sched_yield();
        seen = data;
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
