// question: is the race found of two members of a union?
// threads: 2
// race: 14 16
#include "races.h"

static shared union {
    int i;
    char c[4];
} either;

int main(void)
{
    if (MYTHREAD == 0)
        either.i = 1;
    else
        either.c[2] = 1;
    return pass();
}
