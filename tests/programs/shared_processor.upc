// question: does a thread that waits leave its processor to another thread that was seen there?
// threads: 2 3
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>
#include <sys/resource.h>
#include <upc_relaxed.h>

#define BARRIERS 200
#ifndef MOST_US
#define MOST_US 300 /* of processor time for a barrier: one who only spins uses a thousand or more */
#endif

static long used_us(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return 1000000 * (used.ru_utime.tv_sec + used.ru_stime.tv_sec) + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

shared int first_processor;

/* All threads go to the first processor of thread 0, as the system might move them. */
static int share_a_processor(void)
{
    cpu_set_t one;
    if (MYTHREAD == 0)
        first_processor = sched_getcpu();
    upc_barrier;
    CPU_ZERO(&one);
    CPU_SET(first_processor, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0;
}

int main(void)
{
    int shared_one = share_a_processor();
    upc_barrier; /* each thread is seen on it */
    upc_barrier;
    long before = used_us();
    for (int i = 0; i < BARRIERS; i++)
        upc_barrier;
    long used = used_us() - before;
    if (shared_one)
        CHECK(used < BARRIERS * (long)MOST_US);
    return pass();
}
