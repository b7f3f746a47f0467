// UPC 1.3, 6.4: operators on shared types.
#include <upc.h>

shared int cyclic[10 * THREADS];
shared [4] int blocked[4 * THREADS];
shared [] int here[8];
shared struct opaque *unknown;
struct bits { int f : 3; };
shared struct bits bits;
__typeof__(bits.f) like_a_bit_field; //~ E0316
strict shared int strict_x;
int local, *local_p;
shared int *p;
shared [4] int *b;
shared void *g;

void conversions(void)
{
    p = &local; //~ E0600
    p = (shared int *)local_p; //~ E0600
    p = 0;
    p = (shared int *)0;
    p = (void *)0;
    local_p = p; //~ E0601
    local_p = (int *)&cyclic[MYTHREAD];
    b = p; //~ W0602
    p = b; //~ W0602
    b = (shared [4] int *)p;
    g = p;
    g = b;
    b = g;
    p = here; //~ W0602
    p = 5; //~ E0607
    p = (shared int *)local; //~ E0607
    local = (int)(long)p; //~ W0612
}

int operators(void)
{
    if (p == local_p) //~ E0603
        return 1;
    if (p == b) //~ W0602
        return 2;
    local = p - local_p; //~ E0603
    local = MYTHREAD ? p : local_p; //~ E0603
    if (g < g) //~ E0604
        return 3;
    if (unknown < unknown) //~ E0604
        return 4;
    g = g + 1; //~ E0605
    unknown++; //~ E0605
    g++; //~ E0605
    if (p == g && g != b && p != 0 && !g)
        return 5;
    return p + p; //~ E0302
}

void sizes(void)
{
    local = upc_localsizeof(local); //~ E0606
    local = upc_blocksizeof(int); //~ E0606
    local = upc_elemsizeof(local_p); //~ E0606
    local = upc_elemsizeof(*p) + upc_blocksizeof(cyclic) + upc_localsizeof(shared [3] int);
}

enum { by_threads = sizeof(cyclic) }; //~ E0610
static char by_threads_array[sizeof(blocked)]; //~ E0221

void objects(void)
{
    THREADS = 4; //~ E0611
    MYTHREAD++; //~ E0611
    local_p = &MYTHREAD; //~ E0611
    (void)&bits.f; //~ E0609
    __asm__("" : : "m"(cyclic[0])); //~ E0608
}

int call_with(int *q);
int call_shared(shared int *q);
void calls(void)
{
    call_with(p); //~ E0601
    call_shared(&local); //~ E0600
    call_shared(b); //~ W0602
    call_shared(cyclic);
}
int *result(void)
{
    return cyclic; //~ E0601
}
