// A missing parenthesis in a condition
#include <stdio.h>

int largest(int a, int b)
{
    if (a > b //~ E0100 @14
        return a;
    return b;
}
