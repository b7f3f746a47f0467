// An assignment in a condition
#include <stdio.h>

void show(int done)
{
    if (done = 1) //~ W0412 @14
        printf("done\n");
}
