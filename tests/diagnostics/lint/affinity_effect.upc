// W0706: a side effect in the affinity.
#include <upc.h>

shared int a[10 * THREADS];
static int next(void);

void f(int n)
{
    int i, j = 0;
    shared int *p = a;
    upc_forall (i = 0; i < n; i++; j++) //~ W0706 @36
        a[i] = i;
    upc_forall (i = 0; i < n; i++; &a[j += 2]) //~ W0706 @39
        a[i] = i;
    upc_forall (i = 0; i < n; i++; p++) //~ W0706
        *p = i;
    upc_forall (i = 0; i < n;; i++) //~ W0706
        a[i] = i;
    // Silent: calls may well have none, and sizeof evaluates nothing.
    upc_forall (i = 0; i < n; i++; next())
        a[i] = i;
    upc_forall (i = 0; i < n; i++; i + sizeof(j++))
        a[i] = i;
    upc_forall (i = 0; i < n; i++, j++; j)
        a[i] = i;
}
