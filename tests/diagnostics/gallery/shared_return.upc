// A function with a shared result
#include <upc.h>

shared int next(int x) //~ E0513 @16
{
    return x + 1;
}
