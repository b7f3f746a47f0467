// question: do accesses to the two halves of one long integer by different threads not race?
// threads: 2
#include "races.h"

static shared long whole;

int main(void)
{
    shared [] int *half = (shared [] int *)&whole;
    half[MYTHREAD] = 1 + MYTHREAD;
    upc_barrier;
    CHECK(half[1 - MYTHREAD] == 2 - MYTHREAD && whole != 0);
    return pass();
}
