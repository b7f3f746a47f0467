// question: is the race found of all threads that count in one variable?
// race: 9 9
#include "races.h"

static shared int count;

int main(void)
{
    count++;
    return pass();
}
