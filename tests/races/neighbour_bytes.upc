// question: do writes of neighbouring characters and short integers by different threads not race?
#include "races.h"

static shared [] char chars[8];
static shared [] short shorts[4];
static shared struct {
    char c;
    short s;
    int i;
} mixed;

int main(void)
{
    chars[MYTHREAD] = MYTHREAD;
    chars[4 + MYTHREAD] = MYTHREAD;
    shorts[MYTHREAD] = MYTHREAD;
    if (MYTHREAD == 0)
        mixed.c = 1;
    else if (MYTHREAD == 1)
        mixed.s = 2;
    else if (MYTHREAD == 2)
        mixed.i = 3;
    upc_barrier;
    CHECK(chars[(MYTHREAD + 1) % THREADS] == (MYTHREAD + 1) % THREADS);
    CHECK(mixed.c == 1 && mixed.s == 2);
    return pass();
}
