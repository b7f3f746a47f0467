// question: is a write through a pointer to private memory seen after the same thread has read the element itself?
// threads: 2
// race: 13 17
#include "races.h"

static shared int x, gate;

int main(void)
{
    if (MYTHREAD == 0) {
        int *mine = (int *)&x;
        CHECK(x == 0);
        *mine = 1;
        gate_open(&gate);
    } else {
        gate_wait(&gate);
        CHECK(x == 1);
    }
    return pass();
}
