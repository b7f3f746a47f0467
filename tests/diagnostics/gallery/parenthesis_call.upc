// A missing parenthesis in a call
#include <stdio.h>

void show(int x)
{
    printf("%d\n", (x + 1) * 2; //~ E0100 @31
}
