// question: is the race found of a consumer that gives a slot back before it has read it?
// threads: 2
// race: 17 23
#include "races.h"

static shared long slot;
static strict shared int produced, consumed;

int main(void)
{
    int n;
    long sum = 0;
    for (n = 0; n < 20; n++) {
        if (MYTHREAD == 0) {
            while (consumed != n)
                sched_yield();
            slot = n;
            produced = n + 1;
        } else {
            while (produced == n)
                sched_yield();
            consumed = n + 1;
            sum += slot;
        }
    }
    CHECK(sum >= 0);
    return pass();
}
