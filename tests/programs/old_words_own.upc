// question: functions, macros, labels and variables of the program keep their meaning
// counts: UPC_BARRIER=THREADS, UPC_NOTIFY=0, UPC_FENCE=0, C_FUNC=5*THREADS
#include <sys/wait.h>
#include "check.h"
static int calls;
#define fence (calls += 10)
static void barrier(int n) { calls += n; }
static int (*notify)(int);
static int forall(int a, int b) { return a + b; }
int main(void)
{
    int status;
    barrier(3);
    barrier;
    fence;
    notify;
    wait(&status);
    wait;
    forall(1, 2);
    (void)forall(1, 2);
    CHECK(calls == 13);
    return pass();
}
