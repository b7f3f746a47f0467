// question: do walks of all threads through their own blocks not race?
#include "races.h"

int main(void)
{
    shared [4] int *a = upc_all_alloc(THREADS, 4 * sizeof(int)), *p;
    int i;
    for (p = a + 4 * MYTHREAD; p < a + 4 * MYTHREAD + 4; p++)
        *p = MYTHREAD;
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++)
        CHECK(a[i] == i / 4);
    return pass();
}
