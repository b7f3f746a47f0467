// question: do strict accesses to one variable not race, even where updates are lost?
#include "races.h"

static strict shared int count;

int main(void)
{
    count++;
    CHECK(count >= 1);
    return pass();
}
