// W0618 with static THREADS.
// flags: -T=4
#include <upc.h>

shared [4] int a[40];
int buffer[100];

void f(void)
{
    upc_memget(buffer, a, sizeof(a)); //~ W0618 thread 0 has 48
    upc_memget(buffer, a, 49); //~ W0618
    upc_memget(buffer, a, 48);
}
