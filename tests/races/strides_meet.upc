// question: is the race found of two loops whose strides meet at one element?
// threads: 2
// race: 13 13
// element: element 14 of `a`
#include "races.h"

static shared [] int a[21];

int main(void)
{
    int i, first = MYTHREAD == 0 ? 0 : 7, step = MYTHREAD == 0 ? 2 : 7;
    for (i = first; i < 20; i += step)
        a[i] = MYTHREAD;
    return pass();
}
