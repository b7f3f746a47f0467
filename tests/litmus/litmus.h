/* Many instances of one litmus test at a time: every thread runs its part of each instance, over arrays of places, so that the threads meet in
   all phases; the outcomes are looked at after a barrier. */
#ifndef LITMUS_H
#define LITMUS_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc.h>
#include <upc_castable.h>

#define INSTANCES 4000
#define ROUNDS 10

/* Registers: what thread t read in its n-th read of instance i. */
static shared [] int reg[4][3][INSTANCES];
static int mine[3][INSTANCES];

/* Brings the threads to an instance at the same time, as far as the machine has processors for them: waits for the others, but not for
   long, and then a moment more, which differs from instance to instance, for one of them sees the others come first. */
static strict shared int progress[THREADS];
static void meet(int threads, int instance)
{
    volatile int moment;
    int patience, t;
    progress[MYTHREAD] = instance;
    for (patience = 0, t = 0; patience < 100 && t < threads; patience++)
        while (t < threads && progress[t] >= instance)
            t++;
    for (moment = (instance * (MYTHREAD + 1)) % 61; moment > 0; moment--)
        continue;
}

/* How often to repeat what is not bounded by time, the same number on all threads: most times, and a fifth of it where not all threads have thread 0's
   memory mapped, because each access takes a message there. */
static int repeats(int most)
{
    static shared [] int far;
    if (upc_cast(&far) == NULL)
        far = 1;
    upc_barrier;
    return far ? most / 5 : most;
}

/* Instances of the round: all, unless a test would take longer than its time. */
#define TEST_NS 1000000000ll
#define FIRST_INSTANCES (INSTANCES / 40)
static shared int instances;
static long long begun;
static long tried;

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* Thread 0 chooses how many the next round has: what is left of the time, by what an instance has taken. */
static void choose_instances(int round)
{
    long long spent, most;
    if (MYTHREAD != 0)
        return;
    if (round == 0) {
        begun = now_ns();
        tried = 0;
        instances = FIRST_INSTANCES;
    } else {
        spent = now_ns() - begun;
        most = (TEST_NS - spent) / (ROUNDS - round + 1) * tried / (spent + 1);
        instances = most > INSTANCES ? INSTANCES : most < FIRST_INSTANCES / 10 ? FIRST_INSTANCES / 10 : (int)most;
    }
    tried += instances;
}

/* Runs a short round and ROUNDS of at most INSTANCES instances of a test for THREADS >= threads. reset(i), part(i), forbidden(i): of one instance; forbidden sees the
   registers. name: for messages. Returns how many were forbidden, on thread 0. */
#define LITMUS(name, threads, reset, part, forbidden)                                                                                  \
    static long name(void)                                                                                                             \
    {                                                                                                                                  \
        long seen = 0;                                                                                                                 \
        int round, i, n, count;                                                                                                        \
        if (THREADS < threads)                                                                                                         \
            return 0;                                                                                                                  \
        for (round = 0; round <= ROUNDS; round++) {                                                                                    \
            choose_instances(round);                                                                                                   \
            if (MYTHREAD == 0)                                                                                                         \
                for (i = 0; i < instances; i++) {                                                                                      \
                    reset;                                                                                                             \
                }                                                                                                                      \
            progress[MYTHREAD] = 0;                                                                                                    \
            upc_barrier;                                                                                                               \
            count = instances;                                                                                                         \
            for (i = 0; i < count && MYTHREAD < threads; i++) {                                                                        \
                meet(threads, round * INSTANCES + i + 1);                                                                              \
                part                                                                                                                   \
            }                                                                                                                          \
            if (MYTHREAD < threads)                                                                                                    \
                for (i = 0; i < count; i++)                                                                                            \
                    for (n = 0; n < 3; n++)                                                                                            \
                        reg[MYTHREAD][n][i] = mine[n][i];                                                                              \
            upc_barrier;                                                                                                               \
            if (MYTHREAD == 0)                                                                                                         \
                for (i = 0; i < count; i++)                                                                                            \
                    seen += (forbidden) != 0;                                                                                          \
            upc_barrier;                                                                                                               \
        }                                                                                                                              \
        return seen;                                                                                                                   \
    }

#define R(t, n) reg[t][n][i]

static int failures;

static void forbid(const char *name, long seen)
{
    if (MYTHREAD == 0 && seen != 0) {
        printf("%s: a forbidden outcome %ld times of %ld\n", name, seen, tried);
        failures++;
    }
}

#define FORBID(name) forbid(#name, name())

/* Says how often an allowed outcome of relaxed accesses was seen: that the test can see anything. */
static void allowed(const char *name, long seen)
{
    if (MYTHREAD == 0)
        printf("%s: seen %ld times of %ld\n", name, seen, tried);
}

static int verdict(void)
{
    upc_barrier;
    if (MYTHREAD == 0 && failures == 0)
        puts("PASS");
    return failures != 0;
}
#endif
