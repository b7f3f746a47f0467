// question: is the race found in memory that was freed and allocated again?
// threads: 2
// race: 16 18
#include "races.h"

int main(void)
{
    shared int *old = upc_all_alloc(THREADS, sizeof(int)), *again;
    old[MYTHREAD] = MYTHREAD;
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(old);
    upc_barrier;
    again = upc_all_alloc(THREADS, sizeof(int));
    if (MYTHREAD == 0)
        again[1] = 5;
    else
        again[1] = 6;
    return pass();
}
