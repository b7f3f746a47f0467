// question: do values that objects have from the start not race with reads of any thread?
#include "races.h"

static shared int limit = 12;
static shared [] int table[4] = { 1, 2, 3, 4 };

int main(void)
{
    static shared int within = 5;
    CHECK(limit == 12 && within == 5);
    CHECK(table[MYTHREAD % 4] == MYTHREAD % 4 + 1);
    return pass();
}
