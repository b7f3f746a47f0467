#include <upc.h>
shared int a[4 * THREADS];
void f(void)
{
    for (int i = 0; i < 4 * THREADS; i++; &a[i]) //~ E0100 @41 this `for` has a fourth part
        a[i] = i;
    upc_forall (int i = 0; i < 4 * THREADS; i++; &a[i])
        a[i] = i;
}
