// question: does a strict flag order the data that it announces?
#include "races.h"

static shared int data;
static strict shared int flag;

int main(void)
{
    if (MYTHREAD == 0) {
        data = 42;
        flag = 1;
    } else {
        while (!flag)
            sched_yield();
        CHECK(data == 42);
    }
    return pass();
}
