// question: do notify and wait order what comes before the notify before what comes after the wait?
#include "races.h"

static shared int a[THREADS], own[THREADS];

int main(void)
{
    int next = (MYTHREAD + 1) % THREADS, phase;
    for (phase = 0; phase < 3; phase++) {
        a[MYTHREAD] = phase;
        upc_notify phase;
        own[MYTHREAD] += phase;
        upc_wait phase;
        CHECK(a[next] == phase);
        upc_notify;
        own[MYTHREAD] += 1;
        upc_wait;
    }
    upc_barrier;
    CHECK(own[next] == 6);
    return pass();
}
