#include "common.h"
#include "common.h"

void fill()
{
    own[MYTHREAD] = 2;
    common[2 * MYTHREAD] = 7;
    if (MYTHREAD == 0)
        at_zero = 8;
    tentative = 9;
    barrier;
}
