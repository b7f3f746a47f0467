// question: is what a signal handler does to the thread's own data in order, even while the thread arrives at barriers?
// threads: 1 3
#include "races.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

enum { ROUNDS = 3000, PERIOD_US = 100 };

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

int main(void)
{
    signal(SIGALRM, tick);
    ring(PERIOD_US);
    for (int round = 0; round < ROUNDS; round++) {
        errno = round;
        upc_barrier;
        CHECK(errno == round);
    }
    ring(0);
    return pass();
}
