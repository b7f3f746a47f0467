// question: do strict writes of the same value not race?
#include "races.h"

static strict shared int found;

int main(void)
{
    found = 1;
    CHECK(found == 1);
    return pass();
}
