// question: is the race found of two loops that deal out the same elements differently?
// race: 11 13
#include "races.h"

static shared int a[8 * THREADS];

int main(void)
{
    int i;
    upc_forall (i = 0; i < 8 * THREADS; i++; &a[i])
        a[i] = i;
    upc_forall (i = 0; i < 8 * THREADS; i++; i / 8)
        a[i] += 1;
    return pass();
}
