// question: are the races found of a flag that is written relaxed and read strictly, and of its data?
// threads: 2
// race: 14 20
// race: 16 18
#include "races.h"

static shared int data, flag;

int main(void)
{
    strict shared int *strong = (strict shared int *)&flag;
    int seen = 0;
    if (MYTHREAD == 0) {
        data = 42;
        upc_fence;
        flag = 1;
    } else {
        while (!*strong)
            sched_yield();
        seen = data;
    }
    CHECK(seen == 0 || seen == 42);
    return pass();
}
