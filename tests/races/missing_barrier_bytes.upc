// question: is the race found of neighbouring bytes that all threads write, and read without a barrier?
// race: 10 11
#include "races.h"

static shared [] char a[4];

int main(void)
{
    int next;
    a[MYTHREAD] = MYTHREAD;
    next = a[(MYTHREAD + 1) % THREADS];
    CHECK(next >= 0);
    return pass();
}
