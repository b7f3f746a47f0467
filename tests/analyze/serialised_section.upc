// finding: serialised-section 90
/* The work is done under a lock. Threads note when they ask for the lock, have it and give it back, and how long they had
   a processor meanwhile; so the program knows what its threads waited for the work of others. */
#include <stdio.h>
#include "work.h"

#define STEPS 10

enum { ASKED, TAKEN, GIVEN, WORKED, NOTES };

shared [NOTES] double notes[NOTES * STEPS * THREADS];
shared long counter;
upc_lock_t *lock;

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static double note(int step, int thread, int which)
{
    return notes[NOTES * (step * THREADS + thread) + which];
}

static double max(double a, double b)
{
    return a > b ? a : b;
}

static double min(double a, double b)
{
    return a < b ? a : b;
}

/* The time in which a thread waited for the lock while another one worked. */
static double waited(int step, int me, int other)
{
    double from = max(note(step, me, ASKED), note(step, other, TAKEN));
    double to = min(note(step, me, TAKEN), note(step, other, GIVEN));
    double held = note(step, other, GIVEN) - note(step, other, TAKEN);

    return max(to - from, 0) * min(note(step, other, WORKED) / held, 1);
}

/* The time in which a thread waited for the lock. */
static double waited_for_lock(int step, int me)
{
    double sum = 0;

    for (int other = 0; other < THREADS; other++)
        sum += me == other ? 0 : waited(step, me, other);
    return sum;
}

/* The time in which a thread waited at the barrier because the last one had waited for the lock. */
static double waited_behind(int step, int me)
{
    double worked = 0;
    int last = me;

    for (int other = 0; other < THREADS; other++) {
        if (note(step, other, TAKEN) >= note(step, me, GIVEN))
            worked += note(step, other, WORKED);
        if (note(step, other, TAKEN) > note(step, last, TAKEN))
            last = other;
    }
    return min(worked, waited_for_lock(step, last));
}

int main(void)
{
    double cost = 0;

    lock = upc_all_lock_alloc();
    upc_barrier;
#pragma pupc off
    for (int i = 0; i < STEPS; i++) {
        double mine[NOTES];
        shared [NOTES] double *to = &notes[NOTES * (i * THREADS + MYTHREAD)];

#ifdef ADVISED
        work(1000);
#endif
        mine[ASKED] = now(CLOCK_MONOTONIC);
#pragma pupc on

        upc_lock(lock);
#pragma pupc off
        mine[TAKEN] = now(CLOCK_MONOTONIC);
        mine[WORKED] = -now(CLOCK_THREAD_CPUTIME_ID);
#ifndef ADVISED
        work(1000);
#endif
        counter++;
        mine[WORKED] += now(CLOCK_THREAD_CPUTIME_ID);
        mine[GIVEN] = now(CLOCK_MONOTONIC);
#pragma pupc on
        upc_unlock(lock);
#pragma pupc off
        upc_memput(to, mine, sizeof mine);
#pragma pupc on
        upc_barrier;
#pragma pupc off
    }
    for (int step = 0; MYTHREAD == 0 && step < STEPS; step++)
        for (int me = 0; me < THREADS; me++)
            cost += waited_for_lock(step, me) + waited_behind(step, me);
    if (MYTHREAD == 0)
        printf(counter == STEPS * THREADS ? "PASS %.0f\n" : "FAIL\n", cost);
    return 0;
}
