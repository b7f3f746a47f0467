// question: is the race found of a table that one thread fills with those that read it at once?
// race: 12 14
// element: element 5 of `table`
#include "races.h"

static shared int table[8 * THREADS];

int main(void)
{
    int i, sum = 0;
    if (MYTHREAD == 0)
        table[5] = 25;
    for (i = 0; i < 8; i++)
        sum += table[i];
    CHECK(sum >= 0);
    return pass();
}
