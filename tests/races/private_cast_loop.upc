// question: is the race found of the last element of a loop through a pointer to private memory?
// threads: 2
// race: 14 16
#include "races.h"

static shared [4] int a[4 * THREADS];

int main(void)
{
    int i, sum = 0;
    if (MYTHREAD == 1) {
        const int *mine = (const int *)&a[4];
        for (i = 0; i < 4; i++)
            sum += *mine++;
    } else {
        a[7] = 1;
    }
    CHECK(sum >= 0);
    return pass();
}
