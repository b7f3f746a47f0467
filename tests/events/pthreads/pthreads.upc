// Several pthreads of each thread raise events at the same time, come and go, and end in the middle of functions. Prints what all threads together raise.
#include <pthread.h>
#include <pupc.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_relaxed.h>

#ifndef LOCAL /* Events of accesses to own memory. */
#define LOCAL 0
#endif
#ifndef FUNCTIONS /* Events of functions. */
#define FUNCTIONS 0
#endif
#define PTHREADS 4
#define ROUNDS 3
#define EACH 400
#define LOOP 50
#define NEXT ((MYTHREAD + 1) % THREADS)
#define WORKS (ROUNDS * (PTHREADS + 1))

/* An element for each pthread of each thread, and the first one. */
shared [PTHREADS + 1] int mine[THREADS][PTHREADS + 1];
shared [PTHREADS + 1] int ones[THREADS][PTHREADS + 1];
static unsigned phase, tick;
static long sums[PTHREADS + 1];
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

static void step(int number, int i)
{
    pupc_event_start(phase, i, "start");
    mine[MYTHREAD][number]++;
    sums[number] += ones[NEXT][number];
    pupc_event_atomic(tick);
    free(malloc(8));
    pupc_event_end(phase, i, "end");
    if (i % 10 == 0) {
        int one;
        /* Of the library's functions one at a time. */
        pthread_mutex_lock(&library);
        upc_memget(&one, &ones[NEXT][number], sizeof one);
        pthread_mutex_unlock(&library);
        sums[number] += one;
    }
}

static void work(int number)
{
    for (int i = 0; i < EACH; i++)
        step(number, i);
    for (int i = 0; i < LOOP; i++)
        sums[number] += ones[NEXT][i % (PTHREADS + 1)];
}

static void leave_early(void)
{
    pupc_event_start(phase, -1, "left open");
    pthread_exit(NULL);
}

static void *run(void *number)
{
    work((int)(size_t)number);
    if ((size_t)number % 2 == 0)
        leave_early();
    return NULL;
}

#pragma pupc off
static void say(const char *event, long count)
{
    if (MYTHREAD == 0)
        printf("%s %ld\n", event, count * THREADS);
}
#pragma pupc on

int main(void)
{
    pthread_t pthreads[PTHREADS + 1];

    phase = pupc_create_event("phase", "%d %s");
    tick = pupc_create_event("tick", NULL);
    for (int i = 0; i <= PTHREADS; i++)
        *(int *)&ones[MYTHREAD][i] = 1;
    upc_barrier;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 1; i <= PTHREADS; i++)
            if (pthread_create(&pthreads[i], NULL, run, (void *)i) != 0)
                upc_global_exit(1);
        work(0);
        for (int i = 1; i <= PTHREADS; i++)
            pthread_join(pthreads[i], NULL);
    }
    upc_barrier;
    for (int i = 0; i <= PTHREADS; i++)
        if (*(int *)&mine[MYTHREAD][i] != ROUNDS * EACH || sums[i] != ROUNDS * (EACH + EACH / 10 + LOOP))
            upc_global_exit(2);
    say("UPC_GET", WORKS * ((1 + LOCAL) * EACH + LOOP));
    say("UPC_PUT", WORKS * LOCAL * EACH);
    say("UPC_MEMGET", WORKS * EACH / 10);
    say("UPC_BARRIER", 2);
    say("C_MALLOC", WORKS * EACH);
    say("C_FREE", WORKS * EACH);
    say("phase", WORKS * EACH + ROUNDS * PTHREADS / 2);
    say("tick", WORKS * EACH);
    /* main, step, work, run, leave_early */
    say("C_FUNC", FUNCTIONS * (1 + WORKS * EACH + WORKS + ROUNDS * PTHREADS + ROUNDS * PTHREADS / 2));
    return 0;
}
