// question: is the race found of a upc_forall whose iterations use each other's results?
// race: 11 11
#include "races.h"

static shared int a[8 * THREADS];

int main(void)
{
    int i;
    upc_forall (i = 1; i < 8 * THREADS; i++; &a[i])
        a[i] += a[i - 1];
    return pass();
}
