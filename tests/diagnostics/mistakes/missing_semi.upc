#include <upc.h>
shared int x;
void f(void)
{
    int a = 1 //~ E0100 @14 expected `;` after `1`
    int b = 2;
    x = a + b;
}
