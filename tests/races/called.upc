// question: is the race found of a function that is called by another function?
// race: 9 9
#include "races.h"

static shared int total, own[THREADS];

static void add(shared int *to, int n)
{
    *to += n;
}

static void work(int n)
{
    add(&own[MYTHREAD], n);
    add(&total, n);
}

int main(void)
{
    work(MYTHREAD);
    return pass();
}
