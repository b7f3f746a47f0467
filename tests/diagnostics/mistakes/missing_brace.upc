#include <upc.h>
int f(int n)
{
    if (n > 0) {
        n--;
    return n;
}
int g(void) { return f(2); }
//~ E0104 @1 expected `}` before the end of the file
