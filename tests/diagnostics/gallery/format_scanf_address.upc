// scanf without `&`
#include <stdio.h>

int ask(void)
{
    int count = 0;
    scanf("%d", count); //~ W0325 @12
    return count;
}
