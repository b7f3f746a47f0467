// UPC 1.3, 6.6: constraints and warnings on statements.
#include <upc.h>

shared int a[10 * THREADS];
struct s { int x; } s;
int *local;

void barriers(void)
{
    upc_barrier s; //~ E0700
    upc_notify local; //~ E0700
    upc_wait s; //~ E0700
    upc_barrier 3.5;
    upc_barrier;
    upc_fence;
}

void forall(void)
{
    int i;
    upc_forall (i = 0; i < 10; i++; s) //~ E0701
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; local) //~ E0701
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; 1.5) //~ E0701
        a[i] = 0;
    upc_forall (i = 0; i < 10; i++; i)
        a[i] = 0;
    goto inside;
    upc_forall (i = 0; i < 10; i++; i) {
    inside: //~ E0702
        a[i] = 0;
    }
    upc_forall (i = 0; i < 10; i++; i)
        upc_forall (int j = 0; j < 10; j++; &a[j]) //~ W0703
            a[j] = 0;
    upc_forall (i = 0; i < 10; i++; i)
        upc_barrier; //~ W0704
    break; //~ E0400
    continue; //~ E0401
}
