#include <upc.h>
shared int a[THREADS];
void f(void)
{
    int i;
    upc_forrall (i = 0; i < THREADS; i++; &a[i]) { //~ E0100 @5 `upc_forrall` is not a keyword and is not declared
        a[i] = 0;
    }
}
