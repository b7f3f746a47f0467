// question: is the race found in a function that calls itself?
// race: 10 10
#include "races.h"

static shared int total;

static void visit(int depth, int node)
{
    if (depth == 0) {
        total += node;
        return;
    }
    visit(depth - 1, 2 * node);
    visit(depth - 1, 2 * node + 1);
}

int main(void)
{
    visit(3, MYTHREAD);
    return pass();
}
