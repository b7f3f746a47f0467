// question: do pointers to functions, constants and static objects mean the same in every process?
// threads: 2 3
#include "../programs/check.h"
#include <string.h>

struct task {
    int (*run)(int);
    const char *name;
    int *counter;
    int argument;
};

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }

static int runs;
static shared struct task tasks[THREADS];

int main(void)
{
    struct task own = {MYTHREAD % 2 ? thrice : twice, MYTHREAD % 2 ? "thrice" : "twice", &runs, MYTHREAD + 1}, next;
    int other = (MYTHREAD + 1) % THREADS;
    tasks[MYTHREAD] = own;
    upc_barrier;
    next = tasks[other];
    CHECK(next.run(next.argument) == (other % 2 ? 3 : 2) * (other + 1));
    CHECK(strcmp(next.name, other % 2 ? "thrice" : "twice") == 0);
    /* The address is that of this process's own. */
    ++*next.counter;
    CHECK(runs == 1);
    return pass();
}
