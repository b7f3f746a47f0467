// question: is the race found of accesses in two separately compiled files?
// race: main.upc:14 other.upc:7
#include "../races.h"

shared int total;

void other(void);

int main(void)
{
    if (MYTHREAD == 1)
        other();
    else if (MYTHREAD == 0)
        total = 1;
    return pass();
}
