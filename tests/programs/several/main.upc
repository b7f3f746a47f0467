// question: several translation units share external shared objects, tentative definitions and pointers-to-shared; C files join them
// counts: UPC_BARRIER=3*THREADS
#include "../check.h"
#include "several.h"

shared int common[4 * THREADS];
shared int tentative;
static shared int same_name;

int main(void)
{
    if (MYTHREAD == 0) {
        other_init();
        same_name = 1;
    }
    upc_barrier;
    CHECK(defined_there == 5 && other_same_name() == 2 && same_name == 1 && tentative == 7);
    CHECK(private_tentative == (MYTHREAD == 0 ? 11 : 0));
    CHECK(blocked_there[3] == 3 && upc_phaseof(&blocked_there[3]) == 0 && upc_threadof(&blocked_there[3]) == 1 % THREADS);
    common[MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK(other_sum(common) == THREADS * (THREADS - 1) / 2 && other_place(2) == &common[2] && *initialised == 5);
    CHECK(in_c(20) == 41 && counter_in_c == 1);
    return pass();
}
