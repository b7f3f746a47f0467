// question: does a program that raises no events say so when a trace of it is asked for?
// threads: 1 3
// upcrun: -trace
// stderr: this program raises no events, so the tool measure records nothing (UPC_TOOL; upcrun -trace, -profile): compile it with upcc --inst
// not: inst it raises events
#include "check.h"

int main(void)
{
    upc_barrier;
    return pass();
}
