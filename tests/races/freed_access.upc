// question: is an access to memory that was freed an error although many threads accessed it before?
// threads: 2
// status: 1
// stderr: which thread 0 has freed
#include "races.h"

int main(void)
{
    shared int *all = upc_all_alloc(THREADS, sizeof(int));
    CHECK(all[MYTHREAD] == all[MYTHREAD]);
    upc_barrier;
    all[(MYTHREAD + 1) % THREADS] = 1;
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(all);
    upc_barrier;
    if (MYTHREAD == 1)
        all[1] = 2;
    return pass();
}
