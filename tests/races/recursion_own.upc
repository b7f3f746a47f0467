// question: does a function that calls itself, with an element for each thread, not race?
#include "races.h"

static shared int total[THREADS];

static void visit(int depth, int node)
{
    if (depth == 0) {
        total[MYTHREAD] += node;
        return;
    }
    visit(depth - 1, 2 * node);
    visit(depth - 1, 2 * node + 1);
}

int main(void)
{
    visit(3, MYTHREAD);
    upc_barrier;
    CHECK(total[(MYTHREAD + 1) % THREADS] >= 28);
    return pass();
}
