// question: is the race found of a write through a pointer to private memory?
// race: 10 11
#include "races.h"

static shared int a[THREADS];

int main(void)
{
    int *mine = (int *)&a[MYTHREAD], seen;
    *mine = 1;
    seen = a[(MYTHREAD + 1) % THREADS];
    CHECK(seen == 0 || seen == 1);
    return pass();
}
