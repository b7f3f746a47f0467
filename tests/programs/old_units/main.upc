// question: headers with shared objects, static ones too, that several units include, some of them twice
#include "common.h"
#include "common.h"
#include "../check.h"

int main()
{
    own[MYTHREAD] = 1;
    fill();
    barrier;
    CHECK(own[MYTHREAD] == 1 && common[2 * MYTHREAD] == 7 && at_zero == 8 && tentative == 9);
    return pass();
}
