// question: are accesses in a region of <upc_race.h> left out, and the others reported?
// threads: 2 3
// race: 26 26
// race: 36 41
#include "races.h"
#include <upc_race.h>

static shared int inside, outside, ordered, data;
static shared [] int copied[4];
static shared int gate;
static strict shared int flag;

int main(void)
{
    int mine[4] = {MYTHREAD};
    upc_race_ignore_begin();
    inside = MYTHREAD;
    upc_race_ignore_begin();
    inside++;
    upc_race_ignore_end();
    inside = MYTHREAD;
    upc_memput(copied, mine, sizeof mine);
    if (upc_threadof(&inside) == (size_t)MYTHREAD)
        *(int *)&inside = 5;
    upc_race_ignore_end();
    outside = MYTHREAD;

    // Synchronization in a region counts; what is recorded does not race with what is ignored.
    upc_barrier;
    if (MYTHREAD == 0) {
        ordered = 1;
        upc_race_ignore_begin();
        flag = 1;
        inside = 2;
        upc_race_ignore_end();
        data = 1;
        gate_open(&gate);
    } else if (MYTHREAD == 1) {
        gate_wait(&gate);
        CHECK(flag == 1 && ordered == 1 && inside == 2);
        CHECK(data == 1);
    }
    return pass();
}
