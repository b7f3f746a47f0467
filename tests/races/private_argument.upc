// question: does -fupc-races=all find the race of a function that gets a pointer to private memory?
// flags: -fupc-races=all
// race: 12 19
#include "races.h"

static shared [4] int a[4 * THREADS];

static void fill(int *block, int n)
{
    int i;
    for (i = 0; i < n; i++)
        block[i] = i;
}

int main(void)
{
    int last;
    fill((int *)&a[4 * MYTHREAD], 4);
    last = a[4 * ((MYTHREAD + 1) % THREADS) + 3];
    CHECK(last == 0 || last == 3);
    return pass();
}
