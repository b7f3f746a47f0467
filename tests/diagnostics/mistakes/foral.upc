#include <upc.h>
shared int a[THREADS];
void f(void)
{
    upc_foral (int i = 0; i < THREADS; i++; &a[i]) //~ E0100 @5 `upc_foral` is not a keyword and is not declared
        a[i] = 0;
}
