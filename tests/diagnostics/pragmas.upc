// UPC 1.3, 6.7.1
#include <upc.h>
#pragma upc strict
#pragma upc fast //~ W0800
#pragma other thing
shared int x;

int f(void)
{
#pragma upc relaxed
    x = 1;
#pragma upc strict //~ W0801
    return x;
}
