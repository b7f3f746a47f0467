// question: do a signal handler that uses the thread's own shared data, and a forked process, leave alone what the thread does to remote memory?
// threads: 1 2 3
#include "check.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upc_relaxed.h>

enum { WORDS = 4000, ROUNDS = 60 };

shared [WORDS] int board[WORDS * THREADS];
shared int ticks[THREADS];

static void tick(int signal)
{
    (void)signal;
    ticks[MYTHREAD]++;
}

static void ring(int microseconds)
{
    struct itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_interval.tv_usec = timer.it_value.tv_usec = microseconds;
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* A child that has its parent's view of private data, and ends without a trace. */
static void fork_one(int round)
{
    pid_t child = fork();
    int status;
    CHECK(child >= 0);
    if (child == 0)
        _exit(round == ticks[MYTHREAD] ? 1 : 2);
    while (waitpid(child, &status, 0) != child)
        ;
    CHECK(WIFEXITED(status) && (WEXITSTATUS(status) == 1 || WEXITSTATUS(status) == 2));
}

int main(void)
{
    shared [] int *there = (shared [] int *)&board[(MYTHREAD + 1) % THREADS * WORDS];
    shared [] int *here = (shared [] int *)&board[MYTHREAD * WORDS];
    int round, i;
    signal(SIGALRM, tick);
    upc_barrier;
    ring(300);
    for (round = 1; round <= ROUNDS; round++) {
        for (i = 0; i < WORDS; i += 1 + round % 3)
            there[i] = i * round;
        if (round % 20 == 0)
            fork_one(round);
        for (i = 0; i < WORDS; i += 1 + round % 3)
            CHECK(there[i] == i * round);
        upc_barrier;
        for (i = 0; i < WORDS; i += 1 + round % 3)
            CHECK(here[i] == i * round);
        upc_barrier;
    }
    while (ticks[MYTHREAD] == 0)
        pause();
    ring(0);
    return pass();
}
