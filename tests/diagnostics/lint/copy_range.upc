// W0618: copies of more than one thread has.
#include <upc.h>

shared [4] int a[4 * THREADS];
shared int c[3 * THREADS];
shared [4] int odd[3 * THREADS];
shared [] int here[100];
int buffer[100];

void wrong(void)
{
    upc_memget(buffer, a, sizeof(a)); //~ W0618 @27 `upc_memget` of sizeof(a) bytes at the start of `a`: thread 0 has 16
    upc_memput(&a[0], buffer, sizeof(a)); //~ W0618
    upc_memset(c, 0, sizeof c); //~ W0618
    upc_memcpy(a, c, 16); //~ W0618 `c`: thread 0 has 12
}

// Silent: at most the portion of a thread, or an unknown amount.
void right(size_t n)
{
    upc_memget(buffer, a, 16);
    upc_memget(buffer, &a[4 * MYTHREAD], 4 * sizeof(int));
    upc_memget(buffer, a, n);
    upc_memget(buffer, odd, 3 * sizeof(int));
    upc_memget(buffer, odd, sizeof(odd));
    upc_memget(buffer, here, sizeof(here));
    upc_memset(c, 0, sizeof(c) / THREADS);
}
