/* What the tests of collective functions share: flags, random numbers, and delays that bring missing synchronization to light. */
#include "../../programs/check.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upc_collective.h>

#if __UPC_COLLECTIVE__ != 1
#error "feature macro"
#endif

/* The largest arrays are so many times smaller in instrumented units: each call of a function that is applied to an element is an event there. How
   many events a collective function has does not depend on the size, and the library is the same. */
#if __UPC_PUPC_INST__
enum { LESS = 7 };
#else
enum { LESS = 1 };
#endif

/* No flag of a kind means its ALLSYNC. */
enum { FLAGS = 16 };
static const upc_flag_t in_flags[] = {UPC_IN_NOSYNC, UPC_IN_MYSYNC, UPC_IN_ALLSYNC, 0};
static const upc_flag_t out_flags[] = {UPC_OUT_NOSYNC, UPC_OUT_MYSYNC, UPC_OUT_ALLSYNC, 0};

static upc_flag_t flags_of(int combination)
{
    return in_flags[combination % 4] | out_flags[combination / 4 % 4];
}

static unsigned long long draw(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return *state >> 33;
}

/* The same numbers on all threads. */
static unsigned long long common_state = 1;
static int random_below(int n)
{
    return (int)(draw(&common_state) % n);
}

/* Lets other threads get ahead, sometimes. */
static void delay(void)
{
    static unsigned long long state;
    if (state == 0)
        state = MYTHREAD + 1;
    switch (draw(&state) % 8) {
    case 0:
        usleep(draw(&state) % 200);
        break;
    case 1:
    case 2:
        sched_yield();
        break;
    default:
        break;
    }
}

static int neighbour(void)
{
    return (MYTHREAD + 1) % THREADS;
}
