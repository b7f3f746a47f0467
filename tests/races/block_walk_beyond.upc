// question: is the race found of a walk that goes one element beyond the own block?
// race: 9 9
#include "races.h"

int main(void)
{
    shared [4] int *a = upc_all_alloc(THREADS, 4 * sizeof(int)), *p;
    for (p = a + 4 * MYTHREAD; p <= a + 4 * MYTHREAD + 4 && p < a + 4 * THREADS; p++)
        *p = MYTHREAD;
    return pass();
}
