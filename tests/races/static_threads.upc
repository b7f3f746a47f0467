// question: is the race found of an array whose layout needs a fixed number of threads?
// threads: 2
// environment: static
// race: 13 13
#include "races.h"

static shared [3] int a[8];

int main(void)
{
    int i;
    for (i = 3 * MYTHREAD; i < 3 * MYTHREAD + 4; i++)
        a[i] = i;
    return pass();
}
