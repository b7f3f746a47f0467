// question: is data ordered by a chain of strict flags through a thread that does not touch it?
// threads: 3 4
#include "races.h"

static shared int data;
static strict shared int first, second;

int main(void)
{
    if (MYTHREAD == 0) {
        data = 42;
        first = 1;
    } else if (MYTHREAD == 1) {
        while (!first)
            sched_yield();
        second = 1;
    } else {
        while (!second)
            sched_yield();
        CHECK(data == 42);
    }
    return pass();
}
