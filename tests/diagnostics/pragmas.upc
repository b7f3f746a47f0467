// UPC 1.3, 6.7.1
#include <upc.h>
#pragma upc strict
#pragma upc fast //~ W0800
#pragma upcc race_okay //~ W0800 @1 unknown pragma upcc race_okay
#pragma upcc //~ W0800 @1 without `race_ok`
#pragma upcc race_ok //~ W0801 @1 no statement or declaration
#pragma other thing
shared int x;

int f(void)
{
#pragma upc relaxed
    x = 1;
#pragma upc strict //~ W0801
    return x;
}

int g(int n)
{
#pragma upcc race_ok now //~ W0800 @1 `now` after `#pragma upcc race_ok`
    x = 1;
    switch (n) {
#pragma upcc race_ok
        {
        case 1: //~ W0801 the switch jumps into a statement
            x = 2;
        }
    }
    if (n)
        goto in; //~ W0801 this jump leads into a statement
#pragma upcc race_ok
    {
        if (x)
            goto out;
    in:
        x = 3;
    out:;
    }
    _Pragma("upcc race_ok") _Pragma("upcc race_ok") int y = x;
#pragma upcc race_ok
label:
    x = y;
    goto label;
#pragma upcc race_ok //~ W0801 @1 no statement or declaration
}
