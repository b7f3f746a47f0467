// question: does a barrier in one file order accesses in another one?
#include "../races.h"

shared int total[THREADS];

void store(int value);
int load(void);

int main(void)
{
    store(MYTHREAD);
    upc_barrier;
    CHECK(load() == (MYTHREAD + 1) % THREADS);
    return pass();
}
