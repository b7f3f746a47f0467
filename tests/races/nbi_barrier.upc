// question: is the race found of a put without a handle that ends only after the barrier?
// threads: 2
// race: 13 16
#include "races.h"
#include <upc_nb.h>

static shared [] int a[8];

int main(void)
{
    int data[8] = { 0 }, seen = 0;
    if (MYTHREAD == 0)
        upc_memput_nbi(a, data, sizeof data);
    upc_barrier;
    if (MYTHREAD == 1)
        seen = a[0];
    upc_synci();
    CHECK(seen == 0);
    return pass();
}
