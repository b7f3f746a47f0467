// question: is the race found of threads that all write the same value?
// race: 9 9
#include "races.h"

static shared int found;

int main(void)
{
    found = 1;
    upc_barrier;
    CHECK(found == 1);
    return pass();
}
