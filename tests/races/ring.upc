// question: do strict counters order the slots of a ring between a producer and a consumer?
// threads: 2
#include "races.h"

#define SLOTS 4
static shared [] long ring[SLOTS];
static strict shared int produced, consumed;

int main(void)
{
    int n;
    for (n = 0; n < 20; n++) {
        if (MYTHREAD == 0) {
            while (n - consumed == SLOTS)
                sched_yield();
            ring[n % SLOTS] = n;
            produced = n + 1;
        } else {
            while (produced == n)
                sched_yield();
            CHECK(ring[n % SLOTS] == n);
            consumed = n + 1;
        }
    }
    return pass();
}
