// question: headers with shared objects, static ones too, that several units include, some of them twice
// counts: UPC_BARRIER=3*THREADS, UPC_PUT=3*THREADS+1, UPC_PUT.remote=THREADS-1, UPC_GET=3*THREADS, UPC_GET.remote=2*(THREADS-1)
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
